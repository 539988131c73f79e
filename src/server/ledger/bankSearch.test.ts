/** Searching all transactions: matches are found however old they are; where a search is limited, the answer says so. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TransactionFilter } from '#contract/transactions.ts';
import { cloneDatabase, type TestDatabase } from '../../../tests/database.ts';
import { busyAccount, seedLongHistory } from '../../../tests/longHistory.ts';
import { countRowsRead } from '../../../tests/queryPlans.ts';
import { wasErasedRecently } from '../people/expiry.ts';
import { listAllTransactions } from './bankList.ts';
import { searchBank } from './bankSearch.ts';
import { updateCheckpoints } from './pageCheckpoints.ts';
import { updateSearchTexts } from './searchTexts.ts';

const count = 30_000;
const days = 45;
let books: TestDatabase;

const run = (text: string, values: unknown[] = []) => books.database.ownerPool.query(text, values);

beforeAll(async () => {
  books = await cloneDatabase();
  await seedLongHistory(books, count, days);
  await addCustomers('Quillon', 'Ashgrove', [busyAccount]);
  while (await updateCheckpoints(books.database));
  while (await updateSearchTexts(books.database));
  await run('ANALYZE');
});
afterAll(() => books.drop());

async function addCustomers(first: string, last: string, accounts: bigint[]): Promise<void> {
  await run(
    `INSERT INTO customers (id, account_id, first_name, middle_name, last_name, gender, address, region, zip_code, email,
                            phone_number, avatar_file)
     SELECT gen_random_uuid(), id, $1, '', $2, 'female', 'a', 'b', 'c', lower($1) || id || '@harbour.example', '2125550100', 'f'
       FROM unnest($3::bigint[]) id`,
    [first, last, accounts],
  );
}

const unbounded = { newest: undefined, oldest: undefined };
const search = (text: string, more: Partial<TransactionFilter> = {}) =>
  listAllTransactions(books.database.reader, { page: 1, limit: 100, search: text, ...more });
/** The numbers of the transactions that a search finds. Fails if the answer is not complete. */
const findAll = async (text: string, more: Partial<TransactionFilter> = {}) => {
  const { transactions, isCut, completeSince } = await search(text, more);
  expect({ isCut, completeSince }).toEqual({});
  return transactions.map(({ description }) => Number(description.split(' ').at(-1)));
};
/** The numbers of the transactions that satisfy a condition, newest first. */
const numbers = (condition: (n: number) => boolean) =>
  Array.from({ length: count }, (_, i) => count - i).filter(condition);

test('a whole reference is found with or without dashes, in any case, combined with filters', async () => {
  const row = await run('SELECT reference, type FROM transactions ORDER BY id LIMIT 1');
  const { reference, type } = row.rows[0] as { reference: string; type: string };
  for (const text of [reference, reference.toLowerCase(), reference.replaceAll('-', '')])
    expect(await findAll(text)).toContain(1);
  expect(type).toBe('transfer');
  expect(await findAll(reference, { type: 'admin-credit' })).not.toContain(1);
});

test('part of a reference is found within the scan limit, and an incomplete answer says how far back it is complete [SX-10]', async () => {
  const { rows } = await run("SELECT reference FROM transactions WHERE reference ~ '^LB-[A-F]' ORDER BY id");
  const [oldest, newest] = [rows.at(0), rows.at(-1)].map(row => (row as { reference: string }).reference);
  for (const part of [newest!.slice(0, 11), newest!.slice(0, 11).toLowerCase(), newest!.slice(3, 12)])
    expect(
      (await search(part)).transactions.map(({ reference }) => reference),
      part,
    ).toContain(newest);
  expect(await findAll('lb-zzzz')).toEqual([]);
  const filter = { page: 1, limit: 100, search: oldest!.slice(0, 12) };
  const limited = await searchBank(books.database.reader, filter, unbounded, 15_000);
  expect(limited.completeSince).toBeInstanceOf(Date);
  expect((await search(filter.search)).transactions.map(({ reference }) => reference)).toContain(oldest);
});

test('part of a description is found in old transactions as well as in the newest', async () => {
  for (const n of [10_001, 10_005, 10_007, count - 1, count])
    expect(await findAll(`NUMBER ${n}`)).toEqual([n]);
  expect(
    await findAll('number 2', { status: 'pending', type: 'external-transfer', endDate: '2001-01-01' }),
  ).toEqual([]);
  expect(await findAll('number 12345')).toEqual([12_345]);
  expect(await findAll('umber 1234')).toEqual(numbers(n => String(n).startsWith('1234')));
  expect(await findAll('%')).toEqual([]);
  expect(await findAll('nothing says this')).toEqual([]);
});

test('results are filtered by type, status and dates', async () => {
  const starts = (n: number) => String(n).startsWith('123');
  expect(await findAll('number 123', { type: 'external-transfer' })).toEqual(
    numbers(n => starts(n) && n % 5 === 0),
  );
  expect(await findAll('number 123', { type: 'admin-credit' })).toEqual(
    numbers(n => starts(n) && n % 7 === 0 && n % 5 !== 0),
  );
  const isPending = (n: number) => n % 5 === 0 && (100 + n) % 4 === 0;
  expect(await findAll('number 123', { status: 'pending' })).toEqual(numbers(n => starts(n) && isPending(n)));
  expect(await findAll('number 123', { status: 'failed' })).toEqual(
    numbers(n => starts(n) && n % 5 === 0 && !isPending(n) && (100 + n) % 3 === 0),
  );
  const at = await run(
    'SELECT to_char(bank_day(created_at), $2) AS day FROM transactions WHERE description = $1',
    ['Lunch number 12345', 'YYYY-MM-DD'],
  );
  const { day } = at.rows[0] as { day: string };
  expect(await findAll('number 12345', { startDate: day, endDate: day })).toEqual([12_345]);
  const before = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
  expect(await findAll('number 12345', { endDate: before })).toEqual([]);
});

test('an amount is found to the cent in its usual notations, however old it is', async () => {
  for (const text of ['$124.45', '124.45', '-124.45']) expect(await findAll(text)).toEqual([12_345]);
  expect(await findAll('1.05')).toEqual([5]);
  expect(await findAll('124.45', { type: 'admin-credit' })).toEqual([]);
});

test('an external transfer is found by bank, payee and account number, even a number typed with spaces', async () => {
  const oldest = (await run(`SELECT transaction_id AS id FROM external_transfers ORDER BY 1 LIMIT 1`)).rows[0]
    .id as string;
  await run(`UPDATE external_transfers SET account_name = 'Oda Vant' WHERE transaction_id = $1`, [oldest]);
  await run('DELETE FROM search_texts');
  // Before the job has indexed the transfers, and afterward.
  for (const isIndexed of [false, true]) {
    while (isIndexed && (await updateSearchTexts(books.database)));
    expect(await findAll('oda vant')).toEqual([5]);
    for (const text of ['first harbour', '1234 5678'])
      expect(await search(text)).toMatchObject({ totalTransactions: 1000, isCut: true });
  }
});

test('when the name of a payee at another bank is erased, it disappears from the search texts immediately', async () => {
  const countTexts = async () =>
    (await run("SELECT count(*)::int AS n FROM search_texts WHERE texts LIKE '%oda vant%'")).rows[0]
      .n as number;
  expect(await countTexts()).toBe(1);
  await run("UPDATE external_transfers SET account_name = '' WHERE account_name = 'Oda Vant'");
  expect(await countTexts()).toBe(0);
  expect(await findAll('oda vant')).toEqual([]);
  expect(await findAll('number 10000')).toEqual([10_000]);
});

test('`wasErasedRecently` reads fewer than five rows, however many external transfers there are', async () => {
  const { reader, pool } = books.database;
  expect(await wasErasedRecently(reader)).toBe(false);
  expect(await countRowsRead(pool, wasErasedRecently)).toBeLessThan(5);
  await run("UPDATE external_transfers SET decided_at = now() WHERE account_name = ''");
  expect(await wasErasedRecently(reader)).toBe(true);
});

test('a customer is found by name or email, even with thousands of transactions, and even if 60 customers share the name', async () => {
  const isOwn = (n: number) => n % 3 === 0;
  for (const text of ['quillon', 'Ashgrove quillon', 'quillon1000@harbour'])
    expect(await search(text)).toMatchObject({ totalTransactions: 1000, isCut: true });
  expect(await search('quillon', { type: 'admin-credit' })).toMatchObject({
    totalTransactions: 1000,
    isCut: true,
  });
  const { transactions } = await search('quillon', { type: 'external-transfer' });
  expect(transactions.map(({ description }) => Number(description.split(' ').at(-1)))).toEqual(
    numbers(n => isOwn(n) && n % 5 === 0).slice(0, 100),
  );

  // Sixty people share this name. First none of them has a transaction, then one of them has a single old one.
  const opened = await run(
    `INSERT INTO ledger_accounts (number, is_approved) SELECT (200000000000 + n)::text, true FROM generate_series(1, 60) n RETURNING id`,
  );
  const many = opened.rows.map(row => row.id as bigint);
  await addCustomers('Isolde', 'Marrow', many);
  expect(await findAll('isolde')).toEqual([]);
  await run('ALTER TABLE transactions DISABLE TRIGGER insert_only');
  await run(
    `UPDATE transactions SET sender_account = $1, sender_seq = 1 WHERE description = 'Lunch number 8'`,
    [many[7]],
  );
  await run('ALTER TABLE transactions ENABLE ALWAYS TRIGGER insert_only');
  await run('UPDATE ledger_accounts SET entry_count = 1 WHERE id = $1', [many[7]]);
  expect(await findAll('isolde marrow')).toEqual([8]);
  expect(await findAll('isolde', { type: 'external-transfer' })).toEqual([]);
});

test("a whole account number lists that account's transactions, and part of a number lists those of every matching account", async () => {
  const number = '400000000002';
  await run('UPDATE ledger_accounts SET number = $1 WHERE id = $2', [number, busyAccount]);
  const own = await search('4000 0000 0002');
  expect(own.totalTransactions).toBe(count / 3);
  expect(own.isCut).toBeUndefined();
  const part = await search('4000-0000');
  expect(part).toMatchObject({ totalTransactions: 1000, isCut: true });
  expect(part.transactions.map(({ _id }) => _id)).toEqual(own.transactions.map(({ _id }) => _id));
});

test('if there are more matches than can be listed, the newest are listed and the answer says so', async () => {
  const { transactions, ...rest } = await search('lunch', { page: 10 });
  expect(rest).toEqual({ currentPage: 10, totalPages: 10, totalTransactions: 1000, isCut: true });
  expect(transactions.at(-1)!.description).toBe(`Lunch number ${count - 999}`);
});

test('a search reads less than a tenth as many rows as there are transactions', async () => {
  const read = (text: string) =>
    countRowsRead(books.database.pool, reader =>
      listAllTransactions(reader, { page: 1, limit: 10, search: text }),
    );
  // A search reads the newest transactions (not indexed yet), all search texts, and the hundred transactions of each text that
  // matches.
  expect(await read('number 12345')).toBeLessThan(3_000);
  expect(await read('nothing says this')).toBeLessThan(3_000);
});

test('if a search cannot check everything within its limit, the answer says how far back it is complete', async () => {
  const { reader } = books.database;
  const searchWithLimit = (text: string, more: Partial<TransactionFilter> = {}) =>
    searchBank(reader, { page: 1, limit: 100, search: text, ...more }, unbounded, 2_000);
  const time = async (n: number) =>
    (await run('SELECT created_at FROM transactions WHERE description = $1', [`Lunch number ${n}`])).rows[0]
      .created_at as Date;
  const more = await run(
    `INSERT INTO ledger_accounts (number, is_approved, entry_count) SELECT (500000000000 + n)::text, true, 40 FROM generate_series(1, 60) n RETURNING id`,
  );
  await addCustomers(
    'Perrin',
    'Vale',
    more.rows.map(row => row.id as bigint),
  );
  expect(await searchWithLimit('perrin')).toMatchObject({
    total: 0,
    isCut: false,
    completeSince: await time(count - 2_000),
  });
  expect((await searchWithLimit('nothing says this', { status: 'failed' })).completeSince).toBeUndefined();
  // If not all failed transfers are within the scan limit, the search is not complete.
  expect(
    (await searchBank(reader, { page: 1, limit: 9, search: 'nothing', status: 'failed' }, unbounded, 500))
      .completeSince,
  ).toBeDefined();
  // A search for a frequent text is not complete either if its filter excludes every match.
  const never = { startDate: '2001-01-01', endDate: '2001-01-02' };
  expect((await searchWithLimit('lunch', { type: 'transfer', ...never })).completeSince).toBeDefined();
  // The newest thousand matches are found within the scan limit, so none of them is missing.
  expect(await searchWithLimit('lunch')).toMatchObject({
    total: 1000,
    isCut: true,
    completeSince: undefined,
  });
});

test('search texts are written once, even by concurrent jobs; they are deleted if the checkpoints do not match the totals', async () => {
  const countTexts = async () => {
    const read = await run(
      'SELECT count(*)::int AS n, count(DISTINCT last)::int AS distinct FROM search_texts',
    );
    return read.rows[0] as { n: number; distinct: number };
  };
  const before = await countTexts();
  expect(before.n).toBe(before.distinct);
  expect(before.n).toBeGreaterThan(count / 100 - 33);
  await run('DELETE FROM search_texts');
  await Promise.all([updateSearchTexts(books.database), updateSearchTexts(books.database)]);
  while (await updateSearchTexts(books.database));
  expect(await countTexts()).toEqual(before);
  await run("UPDATE transaction_totals SET count = count + 1 WHERE type = 'admin-credit'");
  await updateCheckpoints(books.database);
  expect(await countTexts()).toEqual({ n: 0, distinct: 0 });
});
