/** Registration, customer lists, administrators and sessions. */
import { setImmediate as nextTick } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAccountNumber } from '#contract/accountNumber.ts';
import { Refusal } from '#contract/errors.ts';
import { newId } from '#server/base/uuid.ts';
import { openAccount } from '#server/ledger/accounts.ts';
import { cloneDatabase, type TestDatabase } from '../../../tests/database.ts';
import { aCustomer, anAdministrator, registrationFields, testSecrets } from '../../../tests/person.ts';
import { createAdmin, hasAdmins, readAdmin } from './admins.ts';
import { findCustomers } from './customerDirectory.ts';
import { listUsers, readUser } from './customerLists.ts';
import { listApprovals, listVerifications } from './customerQueues.ts';
import { lockCustomer, readCustomer } from './customers.ts';
import { endSession, endSessions, openSession } from './sessions.ts';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await cloneDatabase();
});
afterAll(() => testDatabase.drop());

async function countByEmail(email: string): Promise<bigint> {
  const found = await sql<{ n: bigint }>`SELECT count(*) AS n FROM customers WHERE email = ${email}`.execute(
    testDatabase.database.reader,
  );
  return found.rows[0]!.n;
}

async function erase(customerId: string): Promise<void> {
  await sql`UPDATE customers SET deleted_at = now() WHERE id = ${customerId}`.execute(
    testDatabase.database.reader,
  );
}

test('a new customer is pending, not verified, not frozen and has a balance of zero [G-12, AC-01]', async () => {
  const form = registrationFields();
  const { id, accountNumber } = await aCustomer(testDatabase.database, form);
  expect(await readCustomer(testDatabase.database.reader, id)).toEqual({
    _id: id,
    ...form,
    avatar: { url: `/files/avatars/avatar-${id}.webp` },
    idCard: null,
    isApproved: false,
    isVerified: false,
    isFrozen: false,
    accountNumber,
    balance: 0n,
  });
});

test('account numbers have a check digit, are random, and are all different [AC-02, AC-03]', async () => {
  const opened = await testDatabase.database.inTransaction(tx =>
    Promise.all(Array.from({ length: 300 }, () => openAccount(tx))),
  );
  const numbers = opened.map(one => one.accountNumber);
  for (const number of numbers) expect(isAccountNumber(number), number).toBe(true);
  expect(new Set(numbers).size).toBe(300);
  // Every digit occurs at every position, except for a leading zero.
  for (let at = 0; at < 11; at++)
    expect(new Set(numbers.map(number => number[at])).size, `digit ${at}`).toBe(at === 0 ? 9 : 10);
});

test('fifty parallel registrations with one email create one customer and one account', async () => {
  const before = await sql<{ n: bigint }>`SELECT count(*) AS n FROM ledger_accounts`.execute(
    testDatabase.database.reader,
  );
  const form = registrationFields();
  const taken: unknown[] = [];
  // The hash queue is shorter than fifty; retry the requests that it refuses as busy.
  const register = async (): Promise<string | undefined> => {
    for (;;) {
      try {
        return (await aCustomer(testDatabase.database, form)).id;
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== 'BUSY') {
          taken.push(error);
          return undefined;
        }
        await nextTick();
      }
    }
  };
  const ids = await Promise.all(Array.from({ length: 50 }, register));
  expect(ids.filter(id => id !== undefined)).toHaveLength(1);
  expect(taken).toHaveLength(49);
  for (const error of taken) {
    expect(error).toMatchObject({ code: 'CONFLICT', message: 'An account with this email already exists' });
  }
  expect(await countByEmail(form.email)).toBe(1n);
  const after = await sql<{ n: bigint }>`SELECT count(*) AS n FROM ledger_accounts`.execute(
    testDatabase.database.reader,
  );
  expect(after.rows[0]!.n - before.rows[0]!.n).toBe(1n);
});

test('the email of a deleted customer can register again, and the deleted customer is not found and is in no queue', async () => {
  const form = registrationFields();
  const first = await aCustomer(testDatabase.database, form);
  await erase(first.id);
  const second = await aCustomer(testDatabase.database, form);
  expect(await countByEmail(form.email)).toBe(2n);
  expect(await readCustomer(testDatabase.database.reader, first.id)).toBeUndefined();
  expect(await readUser(testDatabase.database.reader, first.id)).toBeUndefined();
  await expect(testDatabase.database.inTransaction(tx => lockCustomer(tx, first.id))).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  for (const list of [listApprovals, listVerifications]) {
    const { customers } = await list(testDatabase.database.reader, { page: 1, limit: 500 });
    const ids = customers.map(one => one._id);
    expect(ids).toContain(second.id);
    expect(ids).not.toContain(first.id);
  }
});

test('administrators find a customer by name, email or account number, with or without accents, and wildcards are literal [A-46]', async () => {
  const form = { ...registrationFields(), firstName: 'Zoë', lastName: "100%_O'Hara\\n" };
  const { id, accountNumber, email } = await aCustomer(testDatabase.database, form);
  await aCustomer(testDatabase.database, { ...registrationFields(), firstName: 'Zoë', lastName: '100x_O' });
  const search = async (text: string) => {
    const { users, totalUsers } = await listUsers(testDatabase.database.reader, {
      page: 1,
      limit: 100,
      search: text,
    });
    expect(users).toHaveLength(totalUsers);
    return users.map(user => user._id);
  };
  const listed = (search: string) => findCustomers(testDatabase.database.reader, search, 100);
  for (const text of ['zoë 100%', '0%_o', "O'HARA", 'hara\\n', email.toUpperCase(), accountNumber.slice(3)])
    expect(await search(text)).toEqual([id]);
  expect(await search("' UNION SELECT 1 --")).toEqual([]);
  for (const text of ['zoë', 'ZOE', 'zoé']) expect((await search(text)).length).toBe(2);
  // No index helps to find texts of two letters.
  for (const text of ['zoe 100%', 'oe 100%']) expect(await listed(text)).toEqual([id]);
});

test('the pages of the customer list have no gaps or duplicates, newest first', async () => {
  const all = await listUsers(testDatabase.database.reader, { page: 1, limit: 100 });
  const pages: string[] = [];
  for (let page = 1; page <= Math.ceil(all.totalUsers / 2); page++) {
    const part = await listUsers(testDatabase.database.reader, { page, limit: 2 });
    expect(part).toMatchObject({ currentPage: page, totalPages: Math.ceil(all.totalUsers / 2) });
    pages.push(...part.users.map(user => user._id));
  }
  expect(pages).toEqual(all.users.map(user => user._id));
  expect([...pages].sort().reverse()).toEqual(pages);
  const beyond = await listUsers(testDatabase.database.reader, { page: 1000, limit: 100 });
  expect(beyond).toMatchObject({ users: [], totalUsers: all.totalUsers });
});

test('an email can be used for only one administrator', async () => {
  const { id, email } = await anAdministrator(testDatabase.database);
  expect(await hasAdmins(testDatabase.database.reader)).toBe(true);
  expect(await readAdmin(testDatabase.database.reader, id)).toEqual({
    _id: id,
    email,
    name: 'Ada',
    role: 'owner',
  });
  const again = await createAdmin(
    { database: testDatabase.database, secrets: testSecrets },
    { email, name: 'Eve', password: 'another long one' },
  );
  expect(again).toBeUndefined();
});

test('sessions last an hour, and can be ended one by one or all except one', async () => {
  const personId = newId();
  const open = () =>
    testDatabase.database.inTransaction(tx =>
      openSession(tx, { personId, kind: 'customer', address: '192.0.2.7', device: 'test' }),
    );
  const [kept, left, other] = [await open(), await open(), await open()];
  const minutes = (kept.expiresAt.getTime() - Date.now()) / 60_000;
  expect(minutes).toBeGreaterThan(59.5);
  expect(minutes).toBeLessThanOrEqual(60.1);
  const end = (id: string) => testDatabase.database.inTransaction(tx => endSession(tx, id));
  expect(await end(left.sessionId)).toBe(true);
  expect(await end(left.sessionId)).toBe(false);
  expect(await testDatabase.database.inTransaction(tx => endSessions(tx, personId, kept))).toBe(1);
  expect(await end(other.sessionId)).toBe(false);
  expect(await end(kept.sessionId)).toBe(true);
});
