/**
 * A page of all transactions reads few rows, at the end of the list as at the start, with any filter. Here, every fifth
 * transaction is external, and half of these, all over the list, are pending or returned.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { calendarDay } from '#contract/bankTime.ts';
import type { BankFilter, TransactionFilter } from '#contract/transactions.ts';
import { cloneDatabase, type TestDatabase } from '../../../tests/database.ts';
import { busyAccount, seedLongHistory } from '../../../tests/longHistory.ts';
import { usedBytes } from '../../../tests/memory.ts';
import { countRowsRead } from '../../../tests/queryPlans.ts';
import { listTransactions } from './accountList.ts';
import { readAllTransactions } from './bankExport.ts';
import { listAllTransactions } from './bankList.ts';
import { countOnTheWay, readOnTheWay } from './dayEnd.ts';
import { openExport } from './exportLines.ts';
import { updateCheckpoints } from './pageCheckpoints.ts';

const count = 60_000;
const limit = 10;
/** A page reads at most a thousand rows from a checkpoint, plus the rows joined to each of them. */
const maxRowsRead = 3_000;

let books: TestDatabase;
beforeAll(async () => {
  books = await cloneDatabase();
  await seedLongHistory(books, count, 45);
  while (await updateCheckpoints(books.database));
  await books.database.ownerPool.query('ANALYZE');
});
afterAll(() => books.drop());

const filters: Partial<TransactionFilter>[] = [
  {},
  { type: 'transfer' },
  { status: 'completed' },
  { status: 'pending' },
  { status: 'failed' },
  { type: 'external-transfer', status: 'completed' },
  { type: 'external-transfer', status: 'failed' },
];

test.each(filters)('the first, middle and last pages read no more rows than allowed: %o', async filter => {
  const list = (page: number) => (reader: typeof books.database.reader) =>
    listAllTransactions(reader, { ...filter, page, limit });
  const { totalPages } = await listAllTransactions(books.database.reader, { ...filter, page: 1, limit });
  expect(totalPages).toBeGreaterThan(250);
  const read = [];
  for (const page of [1, 2, Math.floor(totalPages / 2), totalPages - 1, totalPages])
    read.push(await countRowsRead(books.database.pool, list(page)));
  expect(Math.max(...read), String(read)).toBeLessThan(maxRowsRead);
});

test('a page of a busy account reads little more than its own rows, even with misleading planner statistics', async () => {
  // The planner now expects hundreds of rows for each sequence number, as in an account with a million transactions.
  await books.database.ownerPool.query(
    'ALTER TABLE transactions ALTER sender_seq SET (n_distinct = 2), ALTER receiver_seq SET (n_distinct = 2)',
  );
  await books.database.ownerPool.query('ANALYZE transactions');
  const read = await countRowsRead(books.database.pool, reader =>
    listTransactions(reader, busyAccount, { page: 1, limit }),
  );
  expect(read).toBeLessThan(20 * limit);
});

test('the day-end figures read the payments that have not ended, not all transactions [SD-26]', async () => {
  const { pool, reader } = books.database;
  expect(await countRowsRead(pool, each => readOnTheWay(each))).toBeLessThan(count / 4);
  expect(await readOnTheWay(reader)).toEqual(await countOnTheWay(reader));
});

const dayBefore = (days: number) => calendarDay(new Date(Date.now() - days * 86_400_000));

test.each<Partial<BankFilter>>([
  { startDate: dayBefore(2), endDate: dayBefore(2) },
  { startDate: dayBefore(1), endDate: '9999-12-31' },
  { endDate: dayBefore(43) },
  { endDate: dayBefore(400) },
  { type: 'transfer', startDate: dayBefore(5), endDate: dayBefore(4) },
  { status: 'failed' },
  { status: 'held' },
])(
  'an export has every transaction of its filter, and does not read all the others: %o [ST-69]',
  async filter => {
    const { totalTransactions } = await listAllTransactions(books.database.reader, {
      ...filter,
      page: 1,
      limit: 1,
    });
    let exported = 0;
    const read = await countRowsRead(books.database.pool, async reader => {
      for await (const _ of readAllTransactions(reader, filter)) exported++;
    });
    expect(exported).toBe(totalTransactions);
    // For small tables, the planner may choose a join that reads all payments to other banks for each chunk of a thousand.
    expect(read).toBeLessThan(count);
  },
);

test('an export of days that are far from any checkpoint is complete; a page of them is refused as busy [ST-69]', async () => {
  const { ownerPool, reader } = books.database;
  const filter = { page: 1, limit, startDate: dayBefore(43), endDate: dayBefore(42) };
  const { totalTransactions } = await listAllTransactions(reader, filter);
  await ownerPool.query('DELETE FROM page_checkpoints');
  await expect(listAllTransactions(reader, filter)).rejects.toMatchObject({ code: 'BUSY' });
  let exported = 0;
  for await (const _ of readAllTransactions(reader, filter)) exported++;
  expect(exported).toBe(totalTransactions);
  while (await updateCheckpoints(books.database));
});

test('an export of more than 12,000 lines has less than half of them in memory [RX-35]', async () => {
  // An export shows the balance after each line, which is in the journal entries. The seeded history has none.
  await books.database.ownerPool.query(`
    INSERT INTO journal_entries (transaction_id, step, kind, debit_account, credit_account, amount, debit_balance,
                                 credit_balance, posted_at)
    SELECT id, 1, 'post', sender_account, receiver_account, amount, 0, 0, created_at FROM transactions
     WHERE type = 'transfer' AND ${busyAccount} IN (sender_account, receiver_account)`);
  const { lines } = await openExport(books.database.reader, busyAccount, { type: 'transfer' });
  const before = usedBytes();
  let [n, most] = [0, 0];
  for await (const _ of lines) {
    if (n++ % 3_000 === 0) most = Math.max(most, usedBytes() - before);
  }
  expect(n).toBeGreaterThan(12_000);
  // All lines together would take 8 MB.
  expect(most).toBeLessThan(3_000_000);
});
