/** The queues of waiting customers: every page is correct in every order, and is read from indexes. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { queueSorts } from '#contract/entities.ts';
import { cloneDatabase, type TestDatabase } from '../../../tests/database.ts';
import { countRowsRead, listSeqScans } from '../../../tests/queryPlans.ts';
import { listDirectory } from './customerDirectory.ts';
import { listApprovals, listVerifications, type QueueQuery } from './customerQueues.ts';
import { isEmailProven } from './customers.ts';

const customers = 20_000;
const waiting = 2_000;

let testDatabase: TestDatabase;
const run = (text: string) => testDatabase.database.ownerPool.query(text);
beforeAll(async () => {
  testDatabase = await cloneDatabase();
  // Every tenth customer waits for approval and has no verified ID. Some of these have uploaded an ID. A fifth have proven
  // their email, but for a few of them staff have changed the email since.
  await run(`
    INSERT INTO ledger_accounts (number, is_approved)
    SELECT 900000000000 + n, n % 10 <> 0 FROM generate_series(1, ${customers}) n ORDER BY n`);
  await run(`
    INSERT INTO customers (id, account_id, first_name, middle_name, last_name, gender, address, region, zip_code, email,
                           phone_number, avatar_file, id_card_file, id_card_at, is_verified, created_at, email_proven_at)
    SELECT gen_random_uuid(), id, 'Iris', '', (ARRAY['Field', 'moss', 'Ash'])[1 + n % 3] || n, 'female', 'C', 'D', '1',
           'iris' || n || '@mail.example', '1', 'iris-' || n, CASE WHEN n % 7 = 0 THEN 'id-card-' || n END,
           CASE WHEN n % 7 = 0 THEN now() - make_interval(mins => n * 37 % 1000) END, n % 10 <> 0,
           now() - make_interval(hours => ${customers} - n), CASE WHEN n % 10 <> 0 OR n % 50 = 0 THEN now() END
      FROM (SELECT id, row_number() OVER (ORDER BY id)::int AS n FROM ledger_accounts WHERE kind = 'customer') a`);
  await run(`
    WITH ada AS (INSERT INTO admins (id, email, name, role)
                 VALUES (gen_random_uuid(), 'ada@mail.example', 'Ada', 'owner') RETURNING id)
    INSERT INTO customer_changes (id, customer_id, author, field, former, value, reason, at)
    SELECT gen_random_uuid(), c.id, ada.id, 'email', 'a', c.email, 'r', now() + interval '1 hour'
      FROM customers c, ada WHERE c.email LIKE '%000@mail.example'`);
  await run('VACUUM ANALYZE ledger_accounts, customers, customer_changes');
});
afterAll(() => testDatabase.drop());

const queues = [
  {
    name: 'approvals',
    list: listApprovals,
    from: 'customers c JOIN ledger_accounts a ON a.id = c.account_id WHERE NOT a.is_approved',
    // Documents do not affect the order of approvals.
    first: 'c.account_id > 0',
    since: 'c.account_id',
  },
  {
    name: 'ID verifications',
    list: listVerifications,
    from: 'customers c WHERE NOT c.is_verified',
    first: 'c.id_card_file IS NOT NULL',
    since: 'coalesce(c.id_card_at, c.created_at)',
  },
] as const;
const orders = {
  oldest: (since: string) => `${since}, c.account_id`,
  newest: (since: string) => `${since} DESC, c.account_id DESC`,
  name: () => 'lower(c.last_name), lower(c.first_name), c.account_id',
};
const cases = queues.flatMap(queue => queueSorts.map(sort => ({ ...queue, sort })));

test.each(cases)('the pages of the $name in the order "$sort" have no gaps and no repeats', async queue => {
  for (const search of [undefined, 'moss']) {
    const isMatch = search ? `c.last_name ILIKE '%${search}%'` : 'true';
    const expected = await testDatabase.database.pool.query<{ id: string; first: boolean }>(
      `SELECT c.id, ${queue.first} AS first FROM ${queue.from} AND ${isMatch}
        ORDER BY (${queue.first}) DESC, ${orders[queue.sort](queue.since)}`,
    );
    const ids: string[] = [];
    for (let page = 1, pages = 1; page <= pages; page++) {
      const query: QueueQuery = { page, limit: 97, sort: queue.sort, search };
      const found = await queue.list(testDatabase.database.reader, query);
      ids.push(...found.customers.map(({ _id }) => _id));
      expect(found).toMatchObject({ totalCustomers: expected.rows.length, currentPage: page });
      pages = found.totalPages;
    }
    expect(ids).toEqual(expected.rows.map(row => row.id));
  }
});

test.each(queues)('each customer of the $name is listed with their profile picture', async ({ list }) => {
  const { customers: listed } = await list(testDatabase.database.reader, { page: 1, limit: 10 });
  for (const { avatar } of listed) expect(avatar.url).toMatch(/^\/files\/avatars\/iris-\d+$/);
});

test('customers who uploaded an ID come first in the ID verifications, and only they count as ready for review', async () => {
  const all = await listVerifications(testDatabase.database.reader, { page: 1, limit: waiting });
  const { ready } = all;
  expect(all.customers).toHaveLength(all.totalCustomers);
  expect(ready).toBe(all.customers.filter(({ idCard }) => idCard).length);
  expect(all.customers.slice(0, ready).every(({ idCard }) => idCard)).toBe(true);
  const searched = await listVerifications(testDatabase.database.reader, {
    page: 1,
    limit: 10,
    search: 'iris70@',
  });
  expect(searched).toMatchObject({ totalCustomers: 1, ready });
});

test.each(queues)(
  'staff can limit the $name to customers who have confirmed their email [A-46]',
  async queue => {
    for (const search of [undefined, 'moss']) {
      const isMatch = search ? `c.last_name ILIKE '%${search}%'` : 'true';
      const expected = await sql<{ id: string; first: boolean }>`
      SELECT c.id, ${sql.raw(queue.first)} AS first FROM ${sql.raw(`${queue.from} AND ${isMatch}`)} AND ${isEmailProven}
       ORDER BY (${sql.raw(queue.first)}) DESC, ${sql.raw(orders.oldest(queue.since))}`.execute(
        testDatabase.database.reader,
      );
      expect(expected.rows.length).toBeGreaterThan(50);
      const query: QueueQuery = { page: 1, limit: waiting, list: 'confirmed', search };
      const {
        customers: listed,
        totalCustomers,
        ready,
      } = await queue.list(testDatabase.database.reader, query);
      expect(listed.map(({ _id }) => _id)).toEqual(expected.rows.map(row => row.id));
      expect(totalCustomers).toBe(listed.length);
      if (!search) expect(ready).toBe(expected.rows.filter(row => row.first).length);
    }
  },
);

test('the approvals with a confirmed email are found without reading customers who are approved [A-46]', async () => {
  const read = (reader: TestDatabase['database']['reader']) =>
    listApprovals(reader, { page: 1, limit: 25, list: 'confirmed' });
  expect(await listSeqScans(testDatabase.database.pool, read)).not.toContain('customers');
  // Reads the waiting accounts, the customers without a proven email and the changes of emails once each.
  expect(await countRowsRead(testDatabase.database.pool, read)).toBeLessThan(2 * waiting + 1_000);
});

test('a page of a queue by waiting time is read from indexes, and other customers are read only for the count', async () => {
  for (const { name, list } of queues) {
    for (const page of [1, 70]) {
      const read = (reader: Parameters<typeof list>[0]) => list(reader, { page, limit: 25 });
      // The open requests for a document are few: they are read once and kept in a hash table.
      const scanned = await listSeqScans(testDatabase.database.pool, read);
      expect(
        scanned.filter(table => table !== 'id_requests'),
        name,
      ).toEqual([]);
      // Counting and skipping read the index once each.
      expect(await countRowsRead(testDatabase.database.pool, read), name).toBeLessThan(2 * waiting + 200);
    }
  }
});

test('a search of the staff for one digit finds everyone who has it, and does not take much longer than one for a letter [A-46]', async () => {
  const read = (search: string) =>
    listDirectory(testDatabase.database.reader, { page: 1, limit: 10, search });
  const expected = await testDatabase.database.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM customers c JOIN ledger_accounts a ON a.id = c.account_id
      WHERE concat_ws(' ', c.first_name, c.last_name, c.email, c.phone_number, c.address, c.zip_code, c.region, a.number) LIKE '%7%'`,
  );
  expect((await read('7')).totalCustomers).toBe(expected.rows[0]!.n);
  const fastest = { 7: Number.POSITIVE_INFINITY, z: Number.POSITIVE_INFINITY };
  for (let run = 0; run < 5; run++)
    for (const search of ['7', 'z'] as const) {
      const startedAt = performance.now();
      await read(search);
      fastest[search] = Math.min(fastest[search], performance.now() - startedAt);
    }
  expect(fastest[7]).toBeLessThan(4 * fastest.z);
});

test('the customers who logged in last are read from an index, and others only for the count; in ascending order, customers who never logged in come first', async () => {
  await run(
    `UPDATE last_logins SET at = now() - interval '1 day' WHERE customer_id < 'e0000000-0000-0000-0000-000000000000'`,
  );
  await run('VACUUM ANALYZE last_logins');
  const read = (reader: TestDatabase['database']['reader']) =>
    listDirectory(reader, { page: 1, limit: 10, sort: 'last-login' });
  expect(await countRowsRead(testDatabase.database.pool, read)).toBeLessThan(customers + 200);
  const up = await listDirectory(testDatabase.database.reader, {
    page: 1,
    limit: 10,
    sort: 'last-login',
    direction: 'up',
  });
  expect(up.customers.every(({ lastLoginAt }) => lastLoginAt === undefined)).toBe(true);
});

test('the last page of the customers reads each customer twice, to skip and to count, but only the accounts that are on the page', async () => {
  const read = (reader: TestDatabase['database']['reader']) =>
    listDirectory(reader, { page: customers / 10, limit: 10 });
  expect(await countRowsRead(testDatabase.database.pool, read)).toBeLessThan(2 * customers + 200);
});
