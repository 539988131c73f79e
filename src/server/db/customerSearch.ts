/** Customers by what they are called, as the index `customers_words` has it. */
import { type RawBuilder, sql } from 'kysely';
import { containing } from '../base/like.ts';

/** Whether the name or e-mail of a living customer named `c` holds this text. */
export const matchesCustomer = (text: string): RawBuilder<unknown> =>
  sql`c.deleted_at IS NULL AND c.first_name || ' ' || c.last_name || ' ' || c.middle_name || ' ' || c.email ILIKE ${containing(text)}`;

/** The words of a search. */
export const searchTerms = (search: string): string[] => search.split(/\s+/).filter(Boolean);
