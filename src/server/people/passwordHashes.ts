/** Encrypts stored password hashes again after a rotation of the secret. This needs no passwords. */
import { sql } from 'kysely';
import { encryptAgain } from '../base/encryption.ts';
import { type Key, keyIdBytes } from '../base/keys.ts';
import { nilId } from '../base/uuid.ts';
import type { Database, Reader } from '../db/database.ts';

const batchSize = 1_000;
/** SQL condition: the hash is encrypted with a former secret, as the secret's id in it says (`base/encryption.ts`). */
const isFormer = ([{ id }]: Key) =>
  sql`encode(substring(password_hash FROM 2 FOR ${sql.lit(keyIdBytes)}), 'hex') <> ${id}`;

/** How many hashes were encrypted with a former version of the pepper. */
export async function countFormerHashes(reader: Reader, pepper: Key): Promise<number> {
  const found = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM credentials WHERE ${isFormer(pepper)}`.execute(reader);
  return found.rows[0]!.n;
}

/** Encrypts hashes of former versions with the current one, in batches. A hash that changes in the meantime is left alone. */
export async function encryptHashesAgain(database: Database, pepper: Key): Promise<void> {
  type Row = { id: string; hash: Buffer };
  for (let after = nilId; ; ) {
    const { rows } = await sql<Row>`
      SELECT person_id AS id, password_hash AS hash FROM credentials
       WHERE person_id > ${after} AND ${isFormer(pepper)} ORDER BY person_id LIMIT ${batchSize}`.execute(
      database.reader,
    );
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    const former = rows.map(({ hash }) => hash);
    const renewed = rows.map(({ id, hash }) => encryptAgain(pepper, id, hash));
    await database.inTransaction(tx =>
      sql`
        UPDATE credentials c SET password_hash = r.renewed
          FROM unnest(${ids}::uuid[], ${former}::bytea[], ${renewed}::bytea[]) AS r (id, former, renewed)
         WHERE c.person_id = r.id AND c.password_hash = r.former`.execute(tx),
    );
    after = ids.at(-1)!;
  }
}
