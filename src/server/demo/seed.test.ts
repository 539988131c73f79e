/** The demo data as its people see it. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authApi } from '#contract/auth.ts';
import { goalsApi } from '#contract/goals.ts';
import { notificationsApi } from '#contract/notifications.ts';
import { payeesApi } from '#contract/payees.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { openTestBank, type TestBank } from '../../../tests/server.ts';
import { newId } from '../base/uuid.ts';
import { verifyBooks } from '../ledger/verify.ts';
import { findOrphanedFiles } from '../people/expiry.ts';
import { demoCustomers, demoPassword } from './people.ts';
import { seed } from './seed.ts';

let bank: TestBank;
let token: string;

beforeAll(async () => {
  bank = await openTestBank({ DEMO: '1' });
  // A start that was killed while seeding leaves such a picture.
  await bank.bank.parts.files.put(Buffer.from('a portrait'), 'avatar', newId());
  await seed(bank.bank.parts);
  const { email } = demoCustomers.find(({ key }) => key === 'amara')!;
  await bank.call(authApi.initiateLogin, { body: { email, password: demoPassword } });
  const otp = await bank.mailedCode(email);
  token = (await bank.call(authApi.verifyCode, { body: { email, otp } })).body.data.token;
});
afterAll(() => bank.close());

test("Amara's notifications are listed by date, newest first [N-09, RC-25]", async () => {
  const { notifications } = (await bank.call(notificationsApi.listNotifications, { token })).body.data;
  const times = notifications.map(({ timestamp }) => timestamp);
  expect(times.length).toBeGreaterThan(20);
  expect(times).toEqual([...times].sort().reverse());
});

test('Amara has payees at this bank and at others, with the time she last paid them [RC-25]', async () => {
  const payees = (await bank.call(payeesApi.listPayees, { token })).body.data;
  expect(payees.map(({ name, nickname }) => nickname ?? name).sort()).toEqual([
    'Brandt Roofing',
    'Hudson Light & Power',
    'Ines Caldeira',
    'Meadow Market',
    'Viola teacher',
    'Wren Okafor',
  ]);
  for (const { name, lastPaidAt } of payees) {
    const query = { search: name, limit: 50 };
    const { transactions } = (await bank.call(transactionsApi.listTransactions, { token, query })).body.data;
    const newest = transactions.find(
      ({ receiver, externalBankDetails }) =>
        name === externalBankDetails?.accountName || name === `${receiver?.firstName} ${receiver?.lastName}`,
    );
    expect(lastPaidAt, name).toBe(newest!.timestamp);
  }
});

test('Amara saves for two goals, and the demo’s books have no faults [RC-25]', async () => {
  const { goals, saved } = (await bank.call(goalsApi.listGoals, { token })).body.data;
  expect(goals.map(({ name }) => name)).toEqual(['Sailing in Maine', 'New viola']);
  expect(saved).toBeGreaterThan(1500);
  expect((await verifyBooks(bank.test.database.reader)).faults).toEqual([]);
});

test('everyone has a picture, as registration requires, even while they wait for approval [RC-25]', async () => {
  const { rows } = await sql<{ email: string; picture: string | null }>`
    SELECT email, avatar_file AS picture FROM customers`.execute(bank.test.database.reader);
  expect(rows.map(({ email }) => email).sort()).toEqual(demoCustomers.map(({ email }) => email).sort());
  expect(rows.filter(({ picture }) => picture === null)).toEqual([]);
  expect(new Set(rows.map(({ picture }) => picture)).size).toBe(rows.length);
});

test('the pictures of a start that was killed are moved to quarantine, because too many pictures without a customer stop the hourly clean-up [RC-25]', async () => {
  const names: string[] = [];
  for await (const name of bank.bank.parts.files.listBefore(new Date())) names.push(name);
  expect(names.length).toBeGreaterThan(demoCustomers.length);
  expect(await findOrphanedFiles(bank.test.database.reader, names)).toEqual([]);
});
