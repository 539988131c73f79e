/** Makes PostgreSQL read long lists by index, whatever it believes about the sizes of the tables. */
import { sql } from 'kysely';
import type { Reader } from '../db/database.ts';

/**
 * For the rest of this transaction, PostgreSQL reads rows in the order of an index, where there is one, instead of sorting.
 * Without statistics (after an import, until autovacuum has analyzed the tables), the planner expects few transactions of each
 * type. For one page, it would then read and sort all transactions of a type.
 */
export async function planByIndex(tx: Reader): Promise<void> {
  await sql`SELECT set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)`.execute(
    tx,
  );
}
