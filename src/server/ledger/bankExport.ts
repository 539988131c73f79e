/** All customers' transactions for an export, oldest first, read in chunks: memory does not grow with the bank. */
import { sql } from 'kysely';
import type { DecodedTransaction } from '#contract/entities.ts';
import type { TransactionFilter } from '#contract/transactions.ts';
import { newId, nilId } from '../base/uuid.ts';
import type { Reader } from '../db/database.ts';
import { matchesDays, matchesKind } from './filter.ts';
import { selectTransactions, type TransactionRow, toTransaction } from './transactionRows.ts';

const chunkSize = 1000;

/** The transactions that match the filter and already exist, in id order, which is the order of their requests. */
export async function* readAllTransactions(
  reader: Reader,
  asked: Omit<TransactionFilter, 'page' | 'limit' | 'search'>,
): AsyncGenerator<DecodedTransaction> {
  const filter = { ...asked, page: 1, limit: chunkSize };
  const end = newId();
  for (let after = nilId; ; ) {
    const chunk = sql`(
      SELECT * FROM transactions t
       WHERE t.id > ${after}::uuid AND t.id <= ${end}::uuid AND ${matchesKind(filter)} AND ${matchesDays(filter)}
       ORDER BY t.id LIMIT ${chunkSize})`;
    const found = await sql<TransactionRow>`${selectTransactions(chunk)} ORDER BY t.id`.execute(reader);
    for (const row of found.rows) yield toTransaction(row);
    if (found.rows.length < chunkSize) return;
    after = found.rows.at(-1)!.id;
  }
}
