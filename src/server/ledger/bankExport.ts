/** All customers' transactions for an export, oldest first, read in chunks: memory does not grow with the bank. */
import { sql } from 'kysely';
import type { DecodedTransaction } from '#contract/entities.ts';
import type { BankFilter } from '#contract/transactions.ts';
import { newId, nilId } from '../base/uuid.ts';
import { inSnapshot, type Reader } from '../db/database.ts';
import { findDays } from './bankList.ts';
import { heldPayments, matchesDays, matchesKind } from './filter.ts';
import { planByIndex } from './indexPlans.ts';
import { selectTransactions, type TransactionRow, toTransaction } from './transactionRows.ts';

const chunkSize = 1000;

/** The date `by` days later, but at most 9999-12-31: the database could not read a later date. */
const moveDay = (day: string, by: number) =>
  new Date(Math.min(Date.parse(day) + by * 86_400_000, Date.parse('9999-12-31'))).toISOString().slice(0, 10);

/** The existing transactions that match the filter, in id order, which is the order of their requests. */
export async function* readAllTransactions(
  reader: Reader,
  asked: Omit<BankFilter, 'page' | 'limit' | 'search'>,
): AsyncGenerator<DecodedTransaction> {
  const filter = { ...asked, page: 1, limit: chunkSize };
  const end = newId();
  // Without these bounds, the first or the last chunk of an export of a few days would read the whole table and exceed the time
  // limit. They include one more day on each side, because ids from a server with a wrong clock do not match the times.
  const { newest = end, oldest = nilId } = await inSnapshot(reader, async snapshot => {
    await planByIndex(snapshot);
    const [startDate, endDate] = [
      filter.startDate && moveDay(filter.startDate, -1),
      filter.endDate && moveDay(filter.endDate, 1),
    ];
    return await findDays(snapshot, { ...filter, startDate, endDate }, true);
  });
  const rows =
    filter.status === 'held'
      ? sql`(SELECT * FROM transactions WHERE id = ANY (ARRAY(SELECT h.id FROM ${heldPayments} h)))`
      : sql`transactions`;
  for (let after = oldest; ; ) {
    const chunk = sql`(
      SELECT * FROM ${rows} t
       WHERE t.id > ${after}::uuid AND t.id <= ${newest}::uuid AND ${matchesKind(filter)} AND ${matchesDays(filter)}
       ORDER BY t.id LIMIT ${chunkSize})`;
    const found = await sql<TransactionRow>`${selectTransactions(chunk)} ORDER BY t.id`.execute(reader);
    for (const row of found.rows) yield toTransaction(row);
    if (found.rows.length < chunkSize) return;
    after = found.rows.at(-1)!.id;
  }
}
