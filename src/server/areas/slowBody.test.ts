/** Requests whose sender loses the session or is frozen between the headers and the end of the body: nothing is done. */
import { request as openRequest } from 'node:http';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { authApi } from '#contract/auth.ts';
import { settingsApi } from '#contract/settings.ts';
import type { SeededCustomer } from '../../../tests/seedCustomers.ts';
import { openTestBank, type TestBank } from '../../../tests/server.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await openTestBank();
});
afterAll(() => bank.close());

/** Sends all of a body but its end, runs `beforeEnd`, sends the end. Returns the answer's status and code. */
async function sendSlowly(
  endpoint: { method: string; path: string },
  token: string,
  body: object,
  beforeEnd: () => Promise<unknown>,
): Promise<[status: number, code: string | undefined]> {
  const text = JSON.stringify(body);
  const sending = openRequest(`${bank.url}${endpoint.path}`, {
    method: endpoint.method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    },
  });
  const answered = new Promise<[number, string | undefined]>((resolve, reject) => {
    sending.once('error', reject);
    sending.once('response', async answer => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      const { code } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { code?: string };
      resolve([answer.statusCode!, code]);
    });
  });
  sending.write(text.slice(0, -1));
  // The answer to a later request shows that the first one was admitted.
  await bank.call(authApi.profile, { token });
  await beforeEnd();
  sending.end(text.slice(-1));
  return await answered;
}

const contact = { phoneNumber: '2125550188', address: '9 Clover Street', region: 'Maine', zipCode: '04101' };
const enrolled = () => bank.seeded();
const regionOf = async ({ customerId }: SeededCustomer) =>
  (
    await sql<{ region: string }>`SELECT region FROM customers WHERE id = ${customerId}`.execute(
      bank.test.database.reader,
    )
  ).rows[0]!.region;

test('a customer who logs out before the body is complete changes nothing', async () => {
  const nora = await enrolled();
  const answer = await sendSlowly(settingsApi.updateContact, nora.token, contact, () =>
    bank.call(authApi.logout, { token: nora.token }),
  );
  expect(answer).toEqual([401, 'NOT_AUTHORIZED']);
  expect(await regionOf(nora)).toBe('New York');
});

test('a customer who is frozen before the body is complete changes nothing', async () => {
  const nora = await enrolled();
  const token = await bank.adminToken();
  const answer = await sendSlowly(settingsApi.updateContact, nora.token, contact, () =>
    bank.call(adminApi.freeze, { token, params: { id: nora.customerId }, body: { isFrozen: true } }),
  );
  expect(answer).toEqual([403, 'ACCOUNT_FROZEN']);
  expect(await regionOf(nora)).toBe('New York');
});

test('an administrator who logs out before the body is complete credits no account', async () => {
  const nora = await enrolled();
  const token = await bank.adminToken();
  const credit = { userAccountNumber: nora.accountNumber, amount: 77, description: 'late' };
  const answer = await sendSlowly(adminApi.credit, token, credit, () =>
    bank.call(adminApi.adminLogout, { token }),
  );
  expect(answer).toEqual([401, 'NOT_AUTHORIZED']);
  expect((await bank.call(authApi.profile, { token: nora.token })).body.data.balance).toBe(0);
});
