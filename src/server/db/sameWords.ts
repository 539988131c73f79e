/**
 * Compares descriptions as people read them: ignores case and extra spaces. The credit form does the same, except for a few
 * letters whose lower case depends on the language. In a database with the locale C, `lower` changes only A–Z.
 */
import { type RawBuilder, sql } from 'kysely';

const plain = (text: RawBuilder<unknown>) => sql`lower(regexp_replace(btrim(${text}), '\\s+', ' ', 'g'))`;

export const isSameWords = (column: RawBuilder<unknown>, text: string | undefined) =>
  sql<boolean>`${plain(column)} = ${plain(sql`${text ?? null}::text`)}`;
