/** Long lists: a page found with `pageCheckpoints.ts` equals that page of a full read, and no page scans the whole table. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bank } from '#contract/constants.ts';
import type { TransactionFilter } from '#contract/transactions.ts';
import { cloneDatabase, type TestDatabase } from '../../../tests/database.ts';
import { busyAccount, seedLongHistory } from '../../../tests/longHistory.ts';
import { countRowsRead, listSeqScans } from '../../../tests/queryPlans.ts';
import type { Reader } from '../db/database.ts';
import { listTransactions, sumMonthsOfPage } from './accountList.ts';
import { listAllTransactions } from './bankList.ts';
import { readMonths } from './history.ts';
import { updateCheckpoints } from './pageCheckpoints.ts';
import { listRecentCredits } from './recentCredits.ts';
import { updateSearchTexts } from './searchTexts.ts';

const count = 9_000;
const days = 45;

let books: TestDatabase;
beforeAll(async () => {
  books = await cloneDatabase();
  await seedLongHistory(books, count, days);
  while (await updateCheckpoints(books.database));
});
afterAll(() => books.drop());

const day = (ago: number) =>
  new Date(Date.now() - ago * 86_400_000).toLocaleDateString('sv-SE', { timeZone: bank.timeZone });

const kinds: Partial<TransactionFilter>[] = [
  {},
  { type: 'transfer' },
  { type: 'admin-credit' },
  { type: 'external-transfer' },
  { status: 'completed' },
  { status: 'pending' },
  { status: 'failed' },
  { type: 'external-transfer', status: 'completed' },
  { type: 'external-transfer', status: 'failed' },
  { type: 'transfer', status: 'pending' },
  { type: 'transfer', status: 'completed' },
];
const dateRanges: Partial<TransactionFilter>[] = [
  {},
  { startDate: day(20) },
  { endDate: day(3) },
  { startDate: day(40), endDate: day(12) },
  { startDate: day(30), endDate: day(30) },
  { startDate: day(2), endDate: day(0) },
  { endDate: day(days + 3) },
];
/**
 * A third of the combinations, with each kind and each date range at least twice. Each list is tested with a different third.
 */
const filters = (third: number) =>
  kinds.flatMap((kind, at) =>
    dateRanges.filter((_, range) => (at + range) % 3 === third).map(dateRange => ({ ...kind, ...dateRange })),
  );

/** Every matching id, newest first, by a full read. */
async function readAll(filter: Partial<TransactionFilter>, account?: bigint): Promise<string[]> {
  const { type = null, status = null, startDate = null, endDate = null } = filter;
  const found = await books.database.pool.query<{ id: string }>(
    `SELECT t.id FROM transactions t LEFT JOIN external_transfers x ON x.transaction_id = t.id
      WHERE ($1::transaction_type IS NULL OR t.type = $1)
        AND ($2::transaction_status IS NULL OR coalesce(x.status, 'completed') = $2)
        AND ($3::date IS NULL OR bank_day(t.created_at) >= $3)
        AND ($4::date IS NULL OR bank_day(t.created_at) <= $4)
        AND ($5::bigint IS NULL OR $5 IN (t.sender_account, t.receiver_account))
      ORDER BY t.id DESC`,
    [type, status, startDate, endDate, account ?? null],
  );
  return found.rows.map(row => row.id);
}

type List = (reader: Reader, filter: TransactionFilter) => ReturnType<typeof listAllTransactions>;
const own: List = (reader, filter) => listTransactions(reader, busyAccount, filter);

/** Checks the first page, the last page, the page after the last, and some in between. */
async function expectPages(
  list: List,
  filter: Partial<TransactionFilter>,
  expected: string[],
): Promise<void> {
  const limit = 7;
  const last = Math.max(1, Math.ceil(expected.length / limit));
  for (const page of new Set([1, 2, Math.ceil(last / 3), Math.ceil(last / 2), last, last + 1])) {
    const query = { ...filter, page, limit };
    const { transactions, totalTransactions, totalPages } = await list(books.database.reader, query);
    expect({ totalTransactions, totalPages }, JSON.stringify(query)).toEqual({
      totalTransactions: expected.length,
      totalPages: last,
    });
    expect(
      transactions.map(({ _id }) => _id),
      JSON.stringify(query),
    ).toEqual(expected.slice((page - 1) * limit, page * limit));
  }
}

test('bank_day() returns the day in New York, in summer and in winter', async () => {
  const year = Date.UTC(2026, 0, 1);
  const moments = Array.from({ length: 366 * 8 }, (_, n) => new Date(year + n * 3 * 3_600_000));
  const bankDays = await books.database.pool.query<{ day: string }>(
    "SELECT to_char(bank_day(at), 'YYYY-MM-DD') AS day FROM unnest($1::timestamptz[]) WITH ORDINALITY AS m(at, n) ORDER BY n",
    [moments],
  );
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: bank.timeZone });
  expect(bankDays.rows.map(row => row.day)).toEqual(moments.map(moment => day.format(moment)));
});

test.each(filters(0))('sampled pages of all transactions are correct: %o', async filter => {
  await expectPages(listAllTransactions, filter, await readAll(filter));
});

test.each(filters(1))("sampled pages of a customer's transactions are correct: %o", async filter => {
  await expectPages(own, filter, await readAll(filter, busyAccount));
});

test('the monthly totals of a long account equal a full sum, without scanning the whole table', async () => {
  // As of this time, the requested months begin in the middle of the entries.
  const middle = new Date();
  middle.setUTCDate(15);
  middle.setUTCMonth(middle.getUTCMonth() + 11);
  // The second account has returned transfers.
  const cases = [busyAccount, busyAccount + 3n].flatMap(account =>
    [new Date(), middle].map(now => [account, now] as const),
  );
  const returned = await books.database.pool.query(
    `SELECT FROM transactions t JOIN external_transfers x ON x.transaction_id = t.id
      WHERE t.sender_account = $1 AND x.status = 'failed' LIMIT 1`,
    [busyAccount + 3n],
  );
  expect(returned.rowCount).toBe(1);
  for (const [account, now] of cases) {
    const summed = await books.database.pool.query<{
      month: string;
      in: bigint;
      out: bigint;
      largest: bigint;
    }>(
      `SELECT to_char(bank_day(t.created_at), 'YYYY-MM') AS month,
              coalesce(sum(t.amount) FILTER (WHERE t.receiver_account = $1), 0)::bigint AS in,
              coalesce(sum(t.amount) FILTER (WHERE t.sender_account = $1), 0)::bigint AS out,
              max(t.amount) FILTER (WHERE t.sender_account = $1) AS largest
         FROM transactions t LEFT JOIN external_transfers x ON x.transaction_id = t.id
        WHERE $1 IN (t.sender_account, t.receiver_account) AND x.status IS DISTINCT FROM 'failed'
          AND date_trunc('month', t.created_at AT TIME ZONE $3) > date_trunc('month', $2::timestamptz AT TIME ZONE $3) - interval '1 year'
        GROUP BY 1 ORDER BY 1`,
      [account, now, bank.timeZone],
    );
    const months = await readMonths(books.database.reader, account, now);
    expect(months).toHaveLength(12);
    expect(
      months
        .filter(month => month.in > 0n || month.out > 0n)
        .map(({ largestOut, ...month }) => ({ ...month, largest: largestOut?.amount ?? null })),
    ).toEqual(summed.rows);
    const { pool } = books.database;
    const whole = await listSeqScans(pool, reader => readMonths(reader, account, now));
    expect(whole).not.toContain('transactions');
  }
});

test.each(filters(2))("the month totals of a customer's page equal a full sum: %o", async filter => {
  const account = busyAccount + 3n;
  const { type = null, status = null, startDate = null, endDate = null } = filter;
  const summed = await books.database.pool.query(
    `SELECT to_char(bank_day(t.created_at), 'YYYY-MM') AS month, count(*)::int AS count,
            coalesce(sum(t.amount) FILTER (WHERE t.receiver_account = $5 AND x.status IS DISTINCT FROM 'failed'), 0)::bigint AS in,
            coalesce(sum(t.amount) FILTER (WHERE t.sender_account = $5 AND x.status IS DISTINCT FROM 'failed'), 0)::bigint AS out
       FROM transactions t LEFT JOIN external_transfers x ON x.transaction_id = t.id
      WHERE ($1::transaction_type IS NULL OR t.type = $1)
        AND ($2::transaction_status IS NULL OR coalesce(x.status, 'completed') = $2)
        AND ($3::date IS NULL OR bank_day(t.created_at) >= $3)
        AND ($4::date IS NULL OR bank_day(t.created_at) <= $4)
        AND $5::bigint IN (t.sender_account, t.receiver_account)
      GROUP BY 1 ORDER BY 1 DESC`,
    [type, status, startDate, endDate, account],
  );
  const { reader, pool } = books.database;
  const query = { ...filter, limit: 7 };
  const ofPage = async (page: number) => await sumMonthsOfPage(reader, account, { ...query, page });
  const found = new Map<string, unknown>();
  const { totalPages } = await listTransactions(reader, account, { ...query, page: 1 });
  for (let page = 1; page <= totalPages; page += Math.max(1, Math.floor(totalPages / 5)))
    for (const total of await ofPage(page)) found.set(total.month, total);
  for (const total of await ofPage(totalPages)) found.set(total.month, total);
  expect([...found.values()]).toEqual(summed.rows);
  const whole = await listSeqScans(pool, r => sumMonthsOfPage(r, account, { ...query, page: 1 }));
  expect(whole).not.toContain('transactions');
});

const countCheckpoints = async () =>
  Number((await books.database.pool.query('SELECT count(*) AS n FROM page_checkpoints')).rows[0].n);

describe('checkpoints', () => {
  test('are set at every thousandth transaction, once, even concurrently', async () => {
    expect(await countCheckpoints()).toBe(count / 1000);
    await Promise.all([updateCheckpoints(books.database), updateCheckpoints(books.database)]);
    expect(await countCheckpoints()).toBe(count / 1000);
  });

  /**
   * Adds a credit as if it had been committed long after newer ones. Its id follows that of the transaction at `offset`,
   * counted from the oldest.
   */
  async function arriveLate(offset: number, seq: number): Promise<void> {
    await books.database.ownerPool.query(
      `WITH late AS (
        INSERT INTO transactions (id, type, amount, receiver_account, receiver_seq, created_at, actor, key_hash, request_hash, reference, description)
        SELECT overlay(id::text PLACING 'ffff' FROM 20 FOR 4)::uuid, 'admin-credit', 1, 1009, $2, created_at,
               actor, gen_random_uuid(), request_hash, 'LB-LATE-LATE-LATE', 'late'
          FROM transactions ORDER BY id OFFSET $1 LIMIT 1
        RETURNING created_at)
      INSERT INTO transaction_totals AS total
      SELECT bank_day(created_at), 'admin-credit', 'completed', $2::int % 7 + 1, 1, 1 FROM late`,
      [offset, seq],
    );
  }

  test('before a late transaction are kept, and so are their search texts', async () => {
    while (await updateSearchTexts(books.database));
    const { pool } = books.database;
    const readKept = async (until: bigint) => {
      const checkpoints = await pool.query(
        'SELECT place, id, xmin FROM page_checkpoints WHERE place <= $1 ORDER BY place',
        [until],
      );
      const texts = await pool.query(
        'SELECT type, last, xmin FROM search_texts WHERE last <= (SELECT id FROM page_checkpoints WHERE place = $1) ORDER BY type, last',
        [until],
      );
      return { checkpoints: checkpoints.rows, texts: texts.rows };
    };
    const lastKept = BigInt(count - 1_000);
    const kept = await readKept(lastKept);
    expect(kept.texts.length).toBeGreaterThan(50);
    await arriveLate(count - 500, 100_001);
    expect(await updateCheckpoints(books.database)).toBe(true);
    expect(await readKept(lastKept)).toEqual(kept);
    const places = await pool.query<{ place: bigint }>('SELECT max(place) AS place FROM page_checkpoints');
    expect(places.rows[0]!.place).toBe(lastKept);
    const texts = await pool.query('SELECT FROM search_texts');
    expect(texts.rowCount).toBe(kept.texts.length);
  });

  test('are rebuilt after a transaction arrives late, and the pages are correct again', async () => {
    await arriveLate(500, 100_000);
    expect(await updateCheckpoints(books.database)).toBe(true);
    while (await updateCheckpoints(books.database));
    for (const filter of [{}, { type: 'admin-credit' as const }])
      await expectPages(listAllTransactions, filter, await readAll(filter));
  });
});

describe('an external transfer that is decided', () => {
  const decide = (id: string, isSettled: boolean) =>
    books.database.pool.query('SELECT decide_external_transfer($1, $2, $3)', [id, isSettled, 'closed']);
  beforeAll(async () => {
    await books.database.ownerPool.query(
      "UPDATE ledger_accounts SET balance = 1000000000 WHERE kind = 'clearing'",
    );
  });
  const statuses = ['completed', 'pending', 'failed'] as const;
  const expectAll = async () => {
    for (const status of statuses) {
      const kind = { type: 'external-transfer', status } as const;
      await expectPages(listAllTransactions, kind, await readAll(kind));
    }
  };

  test('moves to another list immediately, however old it is', async () => {
    const pending = await readAll({ status: 'pending' });
    const chosen = [0, 1, 2, 50, 51, 200, pending.length - 1].map(place => pending[place]!);
    for (const [i, id] of chosen.entries()) await decide(id, i % 2 === 0);
    await expectAll();
    const set = await countCheckpoints();
    expect(await updateCheckpoints(books.database)).toBe(false);
    expect(await countCheckpoints()).toBe(set);
  });

  test('is counted once if it is decided while checkpoints are being set', async () => {
    await books.database.ownerPool.query('DELETE FROM page_checkpoints');
    const pending = await readAll({ status: 'pending' });
    const deciding = pending.slice(0, 8).map((id, i) => decide(id, i % 2 === 0));
    await Promise.all([...deciding, updateCheckpoints(books.database)]);
    const set = await countCheckpoints();
    expect(set).toBeGreaterThan(0);
    // The checkpoints would be rebuilt if one differed from the totals.
    expect(await updateCheckpoints(books.database)).toBe(false);
    expect(await countCheckpoints()).toBe(set);
    await expectAll();
  });
});

/** Deletes the planner's statistics, as in a database that was just restored from a dump. */
async function deleteStatistics(): Promise<void> {
  const { ownerPool } = books.database;
  const own = "SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'";
  await ownerPool.query(`DELETE FROM pg_statistic WHERE starelid IN (${own})`);
  await ownerPool.query(
    `UPDATE pg_class SET reltuples = -1, relpages = 0, relallvisible = 0 WHERE oid IN (${own})`,
  );
}

test('without statistics, as after a restore, no search and no deep page scans the whole table', async () => {
  const { ownerPool, pool } = books.database;
  await ownerPool.query('DELETE FROM search_texts');
  await deleteStatistics();
  const filters: Partial<TransactionFilter>[] = [
    { search: 'no such text' },
    { search: 'Lunch', type: 'admin-credit' },
    { search: 'Ines', status: 'failed' },
    { type: 'external-transfer', status: 'completed', page: 100 },
    { page: 400 },
  ];
  for (const filter of filters) {
    const whole = await listSeqScans(pool, reader =>
      listAllTransactions(reader, { page: 1, limit: 10, ...filter }),
    );
    expect(whole, JSON.stringify(filter)).not.toContain('transactions');
  }
  await ownerPool.query('ANALYZE');
});

test('whatever the filter, a page does not scan the whole table', async () => {
  for (const [number, list] of [listAllTransactions, own].entries()) {
    for (const filter of filters(number)) {
      const query = { page: 3, limit: 10, ...filter };
      const whole = await listSeqScans(books.database.pool, reader => list(reader, query));
      expect(whole, JSON.stringify(query)).not.toContain('transactions');
    }
  }
});

test('the credits of the last week are read without reading the older ones, or other payments of the customer [ST-81]', async () => {
  const number = async (account: bigint) =>
    (
      await books.database.pool.query<{ number: string }>(
        'SELECT number FROM ledger_accounts WHERE id = $1',
        [account],
      )
    ).rows[0]!.number;
  const one = await number(1001n);
  const expected = await books.database.pool.query<{ id: string }>(
    `SELECT id FROM transactions WHERE type = 'admin-credit' AND receiver_account = 1001
        AND created_at > now() - interval '7 days' ORDER BY receiver_seq DESC`,
  );
  const found = await listRecentCredits(books.database.reader, one);
  expect(found.length).toBeGreaterThan(10);
  expect(found.map(({ _id }) => _id)).toEqual(expected.rows.map(({ id }) => id));
  const busy = await number(busyAccount);
  const all = await listRecentCredits(books.database.reader, busy);
  expect(all).toHaveLength(50);
  const hidden = await books.database.pool.query<{ amount: bigint; description: string }>(
    `SELECT amount, description FROM transactions WHERE type = 'admin-credit' AND receiver_account = ${busyAccount}
        AND created_at > now() - interval '7 days' ORDER BY receiver_seq LIMIT 1`,
  );
  const [same] = await listRecentCredits(books.database.reader, busy, hidden.rows[0]);
  expect(same).toMatchObject(hidden.rows[0]!);
  expect(all.map(({ _id }) => _id)).not.toContain(same!._id);
  for (const none of [undefined, { amount: 1n, description: 'No such credit' }]) {
    const rows = await countRowsRead(books.database.pool, reader => listRecentCredits(reader, busy, none));
    expect(rows, none?.description).toBeLessThan(250);
  }
});
