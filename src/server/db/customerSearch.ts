/** Customer search by name and email, with the expression of the index `customers_plain_words`. */
import { type RawBuilder, sql } from 'kysely';
import { containing } from '../base/like.ts';

/** SQL: whether a text contains another in any case, with or without accents. */
export const matchesWithoutAccents = (searched: RawBuilder<unknown>, text: string): RawBuilder<unknown> =>
  sql`without_accents(${searched}) ILIKE without_accents(${containing(text)})`;

/** SQL: a customer's name and email; the index has this expression without accents. */
export const customerWords: RawBuilder<unknown> = sql`c.first_name || ' ' || c.last_name || ' ' || c.middle_name || ' ' || c.email`;

/** SQL condition: `c` is a customer who is not erased and whose name or email contains the text. */
export const matchesCustomer = (text: string): RawBuilder<unknown> =>
  sql`c.deleted_at IS NULL AND ${matchesWithoutAccents(customerWords, text)}`;

/** The terms of a search text, separated by spaces. A comma after a term, as in `Okafor, Wren`, is not part of it. */
export const searchTerms = (search: string): string[] => search.split(/,?\s+/).filter(Boolean);
