/**
 * What a page of all transactions costs, in rows read: as much at the end of the list as at its beginning, whatever is asked
 * for. Most of these books are external transfers, many on their way and many returned, all through.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TransactionFilter } from '#contract/transactions.ts';
import { cloneDatabase, type TestDatabase } from '../../../tests/database.ts';
import { seedLongHistory } from '../../../tests/longHistory.ts';
import { countRowsRead } from '../../../tests/queryPlans.ts';
import { listAllTransactions } from './bankList.ts';
import { updateCheckpoints } from './pageCheckpoints.ts';

const count = 60_000;
const limit = 10;
/** From a mark it is a thousand at most; what is looked up for each is read besides. */
const walked = 3_000;

let books: TestDatabase;
beforeAll(async () => {
  books = await cloneDatabase();
  await seedLongHistory(books, count, 45);
  while (await updateCheckpoints(books.database));
  await books.database.ownerPool.query('ANALYZE');
});
afterAll(() => books.drop());

const kinds: Partial<TransactionFilter>[] = [
  {},
  { type: 'transfer' },
  { status: 'completed' },
  { status: 'pending' },
  { status: 'failed' },
  { type: 'external-transfer', status: 'completed' },
  { type: 'external-transfer', status: 'failed' },
];

test.each(kinds)('the last page reads no more than the first may: %o', async kind => {
  const list = (page: number) => (reader: typeof books.database.reader) =>
    listAllTransactions(reader, { ...kind, page, limit });
  const { totalPages } = await listAllTransactions(books.database.reader, { ...kind, page: 1, limit });
  expect(totalPages).toBeGreaterThan(250);
  const read = [];
  for (const page of [1, 2, Math.floor(totalPages / 2), totalPages - 1, totalPages])
    read.push(await countRowsRead(books.database.pool, list(page)));
  expect(Math.max(...read), String(read)).toBeLessThan(walked);
});
