/** Anything that ends a session or changes its permissions takes effect with the next request in every process. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { authApi } from '#contract/auth.ts';
import { session } from '#contract/constants.ts';
import type { RefusalCode } from '#contract/errors.ts';
import { notificationsApi } from '#contract/notifications.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { transferApi } from '#contract/transfer.ts';
import type { Bank } from '#server/bank.ts';
import { createAdmin } from '#server/people/admins.ts';
import { openBrowser } from '../../../tests/call.ts';
import { expectRefused } from '../../../tests/expectRefused.ts';
import {
  type SeededCustomer,
  type SeedOptions,
  seedCustomer,
  seedCustomers,
} from '../../../tests/seedCustomers.ts';
import { openSecondBank, openTestBank, type TestBank } from '../../../tests/server.ts';
import { retryWhileBusy } from '../../../tests/waiting.ts';

let bank: TestBank;
let other: Bank;
/** The URLs of two processes of one bank. */
let urls: string[];
let adminToken: string;
beforeAll(async () => {
  bank = await openTestBank({ APP_SECRET: 'a secret that both processes of this bank share' });
  const beside = await openSecondBank(bank);
  other = beside.bank;
  urls = [bank.url, beside.url];
  adminToken = await bank.adminToken();
});
afterAll(async () => {
  await other.stop();
  await bank.close();
});

const person = (wanted?: SeedOptions) => bank.seeded(wanted);

const get = (url: string, token: string, path: string = transactionsApi.balance.path) =>
  fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });

/** Checks the response to the next request in each process. */
async function expectEverywhere(token: string, expected: RefusalCode | 200, path?: string): Promise<void> {
  const answers = await Promise.all(urls.map(url => get(url, token, path)));
  for (const answer of answers) {
    if (expected === 200) expect(answer.status).toBe(200);
    else await expectRefused(`${expected}`, answer, expected);
  }
}

const asAdmin = (
  endpoint: (typeof adminApi)[keyof typeof adminApi],
  { customerId }: SeededCustomer,
  body?: object,
) => bank.call(endpoint, { token: adminToken, params: { id: customerId }, ...(body && { body }) });

test('a session is valid in every process of the bank [ST-19]', async () => {
  await expectEverywhere((await person()).token, 200);
});

test('a logout ends only its own session, in every process [ST-19, ST-20]', async () => {
  const anna = await bank.customer();
  const second = await bank.login(anna.email);
  await expectEverywhere(anna.token, 200);
  expect((await bank.call(authApi.logout, { token: anna.token })).status).toBe(200);
  await expectEverywhere(anna.token, 'NOT_AUTHORIZED');
  await expectEverywhere(second, 200);
});

test('a customer’s token that was copied out of a browser is refused without its cookie, in every process [ST-67]', async () => {
  const { email } = await bank.customer();
  const [home, thief] = [openBrowser(bank.call), openBrowser(bank.call)];
  await thief(authApi.initiateLogin, { body: { email: 'thief@bank.example', password: '000000' } });
  const token = await bank.login(email, home);
  await expectEverywhere(token, 'NOT_AUTHORIZED');
  expect((await thief(transactionsApi.balance, { token })).status).toBe(401);
  const body = { receiverAccountNumber: (await person()).accountNumber, amount: 1, description: '' };
  expect((await thief(transferApi.sendInternal, { token, body })).status).toBe(401);
  expect((await home(transactionsApi.balance, { token })).status).toBe(200);
});

test('an administrator’s token that was copied out of a browser is refused without its cookie [ST-67]', async () => {
  const browser = openBrowser(bank.call);
  const body = { email: 'admin@bank.example', password: 'correct horse battery' };
  const { token } = (await browser(adminApi.adminLogin, { body })).body.data;
  expect((await browser(adminApi.adminStats, { token })).status).toBe(200);
  await expectEverywhere(token, 'NOT_AUTHORIZED', adminApi.adminStats.path);
});

test('an administrator’s logout ends the session in every process [ST-20]', async () => {
  const token = await bank.adminToken();
  const fresh = (
    await bank.call(adminApi.adminLogin, {
      body: { email: 'admin@bank.example', password: 'correct horse battery' },
    })
  ).body.data.token;
  await expectEverywhere(fresh, 200, adminApi.adminStats.path);
  await bank.call(adminApi.adminLogout, { token: fresh });
  await expectEverywhere(fresh, 'NOT_AUTHORIZED', adminApi.adminStats.path);
  await expectEverywhere(token, 200, adminApi.adminStats.path);
});

test('an approval takes effect in a live session', async () => {
  const waiting = await person({ approved: false });
  await expectEverywhere(waiting.token, 'ACCOUNT_PENDING');
  expect((await asAdmin(adminApi.approve, waiting)).status).toBe(200);
  await expectEverywhere(waiting.token, 200);
});

test('a freeze takes effect with the next request of a live session, in every process [ST-22]', async () => {
  const [anna, ben] = [await person(), await person()];
  const send = (url: string) =>
    fetch(`${url}${transferApi.sendInternal.path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${anna.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ receiverAccountNumber: ben.accountNumber, amount: 1 }),
    });
  for (const url of urls) await expectRefused('poor', await send(url), 'INSUFFICIENT_BALANCE');
  expect((await asAdmin(adminApi.freeze, anna, { isFrozen: true })).status).toBe(200);
  for (const url of urls) await expectRefused('frozen', await send(url), 'ACCOUNT_FROZEN');
  await expectEverywhere(anna.token, 200);
  expect((await asAdmin(adminApi.freeze, anna, { isFrozen: false })).status).toBe(200);
  for (const url of urls) await expectRefused('poor', await send(url), 'INSUFFICIENT_BALANCE');
});

test('a deleted customer’s session is refused, even if the session’s row still exists [ST-23]', async () => {
  const { ownerPool } = bank.test.database;
  const [deleted, closed] = [await person(), await person()];
  await ownerPool.query('UPDATE customers SET deleted_at = now() WHERE id = $1', [deleted.customerId]);
  await ownerPool.query('UPDATE ledger_accounts SET is_closed = true WHERE id = $1', [closed.accountId]);
  for (const { token } of [deleted, closed]) await expectEverywhere(token, 'NOT_AUTHORIZED');
});

test('a session that has expired in the database is refused, even if its token has not expired [ST-18, ST-19]', async () => {
  const anna = await person();
  await bank.test.database.ownerPool.query(`UPDATE sessions SET expires_at = now() WHERE id = $1`, [
    anna.sessionId,
  ]);
  await expectEverywhere(anna.token, 'NOT_AUTHORIZED');
});

test('a disabled administrator’s session is refused immediately', async () => {
  const body = { email: 'ada@bank.example', password: 'a quiet river stone' };
  await createAdmin(bank.bank.parts, { ...body, name: 'Ada' });
  const { token } = (await bank.call(adminApi.adminLogin, { body })).body.data;
  await expectEverywhere(token, 200, adminApi.adminStats.path);
  await bank.test.database.ownerPool.query('UPDATE admins SET disabled_at = now() WHERE email = $1', [
    body.email,
  ]);
  await expectEverywhere(token, 'NOT_AUTHORIZED', adminApi.adminStats.path);
});

test('an administrator whose role changes can no longer make the calls of the old role, in every process [ST-71]', async () => {
  const body = { email: 'audrey@bank.example', password: 'a quiet river stone' };
  await createAdmin(bank.bank.parts, { ...body, name: 'Audrey', role: 'auditor' });
  const { token } = (await bank.call(adminApi.adminLogin, { body })).body.data;
  await expectEverywhere(token, 200, adminApi.auditLog.path);
  await bank.test.database.ownerPool.query("UPDATE admins SET role = 'viewer' WHERE email = $1", [
    body.email,
  ]);
  await expectEverywhere(token, 'FORBIDDEN', adminApi.auditLog.path);
  await expectEverywhere(token, 200, adminApi.adminStats.path);
});

test('concurrent requests of many people are each answered for the right person', async () => {
  const people = await seedCustomers(bank.bank.parts.database, bank.bank.parts.tokens, 20);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => people)
      .flat()
      .map(async ({ token, customerId }, i) => {
        const answer = await retryWhileBusy(() => get(urls[i % 2]!, token, authApi.profile.path));
        return { customerId, body: (await answer.json()) as { data: { _id: string } } };
      }),
  );
  for (const { customerId, body } of answers) expect(body.data._id).toBe(customerId);
});

/** Moves the last action of every session `seconds` into the past. */
const idleFor = (seconds: number) =>
  bank.test.database.ownerPool.query(`UPDATE sessions SET last_seen_at = now() - make_interval(secs => $1)`, [
    seconds,
  ]);

test('a session ends in every process after 16 minutes without an action, and no request revives it [ST-39, ST-50]', async () => {
  const [nell, receiver] = [await person(), await person()];
  await idleFor(16 * 60 - 5);
  await expectEverywhere(nell.token, 200);
  await expectEverywhere(adminToken, 200, adminApi.adminStats.path);
  await idleFor(16 * 60 + 20);
  await expectEverywhere(nell.token, 'NOT_AUTHORIZED');
  await expectEverywhere(adminToken, 'NOT_AUTHORIZED', adminApi.adminStats.path);
  const body = { receiverAccountNumber: receiver.accountNumber, amount: 1, description: '' };
  const sent = await bank.call(transferApi.sendInternal, { token: nell.token, body });
  expect(sent.body.code).toBe('NOT_AUTHORIZED');
});

test('polling does not keep a session alive; a call without the idle header and a report of activity do [ST-50]', async () => {
  const own = await openTestBank();
  const { database, tokens } = own.bank.parts;
  const make = async () => await seedCustomer(database, tokens);
  const [polling, calling, reporting] = [await make(), await make(), await make()];
  await database.ownerPool.query("UPDATE sessions SET last_seen_at = now() - interval '10 minutes'");
  const idle = { headers: { [session.idleHeader]: '600' } };
  for (let n = 0; n < 3; n++) {
    const polled = await own.call(notificationsApi.listNotifications, { token: polling.token, ...idle });
    expect(polled.status).toBe(200);
  }
  expect((await own.call(transactionsApi.balance, { token: calling.token })).status).toBe(200);
  expect((await own.call(authApi.reportActivity, { token: reporting.token })).status).toBe(200);
  // Stopping the bank writes the recorded activity.
  await own.bank.app.close();
  const { rows } = await own.test.database.ownerPool.query<{ id: string; minutes: number }>(
    'SELECT id, round(extract(epoch FROM now() - last_seen_at) / 60)::int AS minutes FROM sessions',
  );
  const minutesOf = (one: SeededCustomer) => rows.find(({ id }) => id === one.sessionId)?.minutes;
  expect([polling, calling, reporting].map(minutesOf)).toEqual([10, 0, 0]);
  await own.close();
});
