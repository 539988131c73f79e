/** Quotas per person, counted over all of that person's sessions. They apply even if the quotas per IP address are off. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authApi } from '#contract/auth.ts';
import { personQuotas } from '#contract/constants.ts';
import { adminFactorsApi } from '#contract/factors.ts';
import { limitsApi } from '#contract/limits.ts';
import { notificationsApi } from '#contract/notifications.ts';
import { payeesApi } from '#contract/payees.ts';
import { scheduledApi } from '#contract/scheduled.ts';
import { settingsApi } from '#contract/settings.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { transferApi } from '#contract/transfer.ts';
import { openSession } from '#server/people/sessions.ts';
import type { ApiAnswer } from '../../../tests/call.ts';
import { holdLocks } from '../../../tests/holdLocks.ts';
import { eventually, lockWaits, openTestBank, type TestBank } from '../../../tests/server.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await openTestBank({ RATE_LIMITS: 'off' });
});
afterAll(() => bank.close());

/** Expects a refusal with a wait of more than `least` and at most `seconds` seconds. */
function expectWait({ status, body, headers }: ApiAnswer<never>, seconds: number, least = seconds / 2): void {
  expect({ status, code: body.code }).toEqual({ status: 429, code: 'TOO_MANY' });
  expect(String(body.waitTime)).toBe(headers.get('retry-after'));
  expect(body.waitTime).toBeGreaterThan(least);
  expect(body.waitTime).toBeLessThanOrEqual(seconds);
}

const lookUp = (token: string, accountNumber: string) =>
  bank.call(transferApi.verifyAccount, { token, params: { accountNumber } });
const upload = (token: string, to: 'uploadAvatar' | 'uploadIdCard', picture = bank.form().get('avatar')!) => {
  const body = new FormData();
  body.append('avatar', picture as File, 'me.webp');
  return bank.call(settingsApi[to], { token, body });
};

test("a customer's lookups are limited per minute over all sessions, and other customers' are not affected", async () => {
  const jun = await bank.customer();
  const { times, seconds } = personQuotas.lookups;
  // On a very busy machine, the lookups take more than a minute. Then another customer repeats them.
  await eventually(async () => {
    const wren = await bank.customer();
    const tokens = [wren.token, await bank.login(wren.email)];
    const startedAt = performance.now();
    // An unknown number counts as well.
    const statuses = await Promise.all(
      Array.from({ length: times }, async (_, n) => {
        const number = n % 3 ? jun.accountNumber : '100000000000';
        return (await lookUp(tokens[n % 2]!, number)).status;
      }),
    );
    expect(statuses).not.toContain(429);
    const refused = await Promise.all(tokens.map(token => lookUp(token, jun.accountNumber)));
    const left = seconds - (performance.now() - startedAt) / 1000;
    if (left <= 0) return undefined;
    for (const answer of refused) expectWait(answer, seconds, left - 1);
    expect((await lookUp(jun.token, wren.accountNumber)).status).toBe(200);
    return true;
  });
});

test('lookups of and transfers to account numbers that do not exist are limited per hour; other attempts are not counted', async () => {
  const [wren, jun, noor] = [
    await bank.customer({ dollars: 5 }),
    await bank.customer({ dollars: 5 }),
    await bank.customer(),
  ];
  const send = ({ token }: { token: string }, receiverAccountNumber: string, amount = 1) =>
    bank.call(transferApi.sendInternal, { token, body: { receiverAccountNumber, amount, description: '' } });
  const unknownNumber = '100000000008';
  const { times, seconds } = personQuotas.misses;
  expect((await lookUp(wren.token, unknownNumber)).status).toBe(404);
  // A transfer that succeeds or exceeds the balance does not count.
  expect((await send(wren, noor.accountNumber)).status).toBe(201);
  expect((await send(wren, noor.accountNumber, 9)).status).toBe(422);
  for (let tried = 1; tried < times; ) {
    const concurrent = Math.min(50, times - tried);
    const tries = await Promise.all(Array.from({ length: concurrent }, () => send(wren, unknownNumber)));
    expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([404]));
    tried += concurrent;
  }
  for (const number of [unknownNumber, noor.accountNumber]) {
    expectWait((await send(wren, number)) as never, seconds);
    expectWait(await lookUp(wren.token, number), seconds);
  }
  const { balance } = (await bank.call(transactionsApi.balance, { token: wren.token })).body.data;
  expect(balance).toBe(4);
  expect((await send(jun, unknownNumber)).status).toBe(404);
  // If the session has ended, the answer says so instead of mentioning quotas.
  await bank.call(authApi.logout, { token: wren.token });
  expect((await send(wren, unknownNumber)).status).toBe(401);
});

/**
 * Sends requests from a customer's sessions. The requests wait in the database until `end` is called. `waiting`: how many wait
 * now. On a busy machine, some requests are refused with BUSY because a statement waits too long for a lock.
 */
async function flood(tokens: string[]) {
  const { ownerPool } = bank.test.database;
  const holder = await holdLocks(ownerPool, 'LOCK TABLE notifications IN ACCESS EXCLUSIVE MODE');
  let answered = 0;
  const requests = Array.from({ length: 30 }, async (_, n) => {
    const token = tokens[n % tokens.length]!;
    if ((await bank.call(notificationsApi.listNotifications, { token })).status === 200) answered++;
  });
  const waiting = async () => {
    const { rows } = await ownerPool.query<{ n: number }>(
      `SELECT count(*)::integer AS n FROM pg_locks
        WHERE NOT granted AND relation = 'notifications'::regclass AND mode = 'AccessShareLock'`,
    );
    return rows[0]!.n;
  };
  const end = async () => {
    await holder.query('ROLLBACK');
    await Promise.all(requests);
  };
  return { answered: () => answered, waiting, end };
}

test('a customer who floods the bank with requests delays no other customer', async () => {
  const [flooder, jun] = [await bank.customer(), await bank.customer()];
  const { answered, waiting, end } = await flood([flooder.token]);
  await eventually(async () => ((await waiting()) >= 4 ? true : undefined));
  expect((await bank.call(authApi.profile, { token: jun.token })).status).toBe(200);
  expect(answered()).toBe(0);
  await end();
  expect((await bank.call(notificationsApi.listNotifications, { token: flooder.token })).status).toBe(200);
});

/** Opens more sessions for a customer and returns their tokens. */
async function openSessions(customerId: string, count: number): Promise<string[]> {
  const { database, tokens } = bank.bank.parts;
  const person = { personId: customerId, kind: 'customer' } as const;
  const opened = Array.from({ length: count }, async () => {
    const session = await database.inTransaction(tx =>
      openSession(tx, { ...person, address: '::1', device: 'test' }),
    );
    return await tokens.issue({ ...person, ...session, browser: undefined });
  });
  return await Promise.all(opened);
}

test('a customer with many sessions leaves connections to the database for other customers', async () => {
  const [flooder, jun] = [await bank.seeded(), await bank.seeded()];
  const others = await openSessions(flooder.customerId, 4);
  const { answered, waiting, end } = await flood([flooder.token, ...others]);
  await eventually(async () => ((await waiting()) >= 8 ? true : undefined));
  expect((await bank.call(authApi.profile, { token: jun.token })).status).toBe(200);
  expect(await waiting()).toBeLessThanOrEqual(8);
  expect(answered()).toBe(0);
  await end();
});

test('a customer who floods the bank with searches and monthly sums has one query running at a time over all sessions', async () => {
  const { ownerPool } = bank.test.database;
  const flooder = await bank.seeded({ cents: 100n });
  const tokens = [flooder.token, ...(await openSessions(flooder.customerId, 3))];
  const holder = await holdLocks(ownerPool, 'LOCK TABLE external_transfers IN ACCESS EXCLUSIVE MODE');
  // The bank's own work reads this table too, so only the customer's queries count.
  const waiting = () => lockWaits(ownerPool, 'width_bucket|ILIKE');
  const read = (token: string, n: number) =>
    n % 2
      ? bank.call(transactionsApi.months, { token })
      : bank.call(transactionsApi.listTransactions, { token, query: { search: 'lunch' } });
  const asked = Array.from({ length: 16 }, (_, n) => read(tokens[n % 4]!, n));
  await eventually(async () => ((await waiting()) > 0 ? true : undefined));
  // While these calls wait, every session can make other calls.
  for (const token of tokens)
    expect((await bank.call(transactionsApi.balance, { token })).body.data.balance).toBe(1);
  expect(await waiting()).toBe(1);
  await holder.query('ROLLBACK');
  expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]));
});

test('a customer with many transfers to confirm leaves connections to the database for other customers', async () => {
  const { ownerPool } = bank.test.database;
  const [flooder, jun] = [await bank.seeded({ cents: 100_00n }), await bank.seeded()];
  const { token, customerId } = flooder;
  await bank.call(limitsApi.setLimits, { token, body: { stepUpFrom: 1, dailyOut: null } });
  const holder = await holdLocks(
    ownerPool,
    'SELECT FROM credentials WHERE person_id = $1 FOR UPDATE',
    customerId,
  );
  const waiting = () => lockWaits(ownerPool, 'FROM credentials');
  const body = { receiverAccountNumber: jun.accountNumber, amount: 5, description: '' };
  const sent = Array.from({ length: 30 }, () => bank.call(transferApi.sendInternal, { token, body }));
  await eventually(async () => ((await waiting()) >= 4 ? true : undefined));
  expect((await bank.call(authApi.profile, { token: jun.token })).status).toBe(200);
  expect(await waiting()).toBe(4);
  await holder.query('ROLLBACK');
  expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([403]));
});

test("a customer's uploads are limited per hour, even before approval; unreadable pictures count too", async () => {
  const waiting = await bank.customer({ approved: false });
  const jun = await bank.customer();
  const { times, seconds } = personQuotas.uploads;
  const unreadable = new File(['no picture'], 'me.png');
  const unreadableCount = 5;
  for (let n = 0; n < unreadableCount; n++)
    expect((await upload(waiting.token, 'uploadAvatar', unreadable)).status).toBe(415);
  // Concurrent uploads: none may slip through before another is counted.
  const sent = await Promise.all(
    Array.from({ length: times - unreadableCount + 2 }, (_, n) =>
      upload(waiting.token, n % 2 ? 'uploadAvatar' : 'uploadIdCard'),
    ),
  );
  expect(sent.filter(({ status }) => status === 200)).toHaveLength(times - unreadableCount);
  const refused = sent.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(2);
  for (const answer of refused) expectWait(answer as never, seconds);
  expect((await upload(jun.token, 'uploadAvatar')).status).toBe(200);
});

test("a customer's contact changes are limited per hour", async () => {
  const wren = await bank.customer();
  const move = (zipCode: string) => {
    const body = { phoneNumber: '2125550147', address: '4 Meadow Row', region: 'New York', zipCode };
    return bank.call(settingsApi.updateContact, { token: wren.token, body });
  };
  const { times, seconds } = personQuotas.changes;
  for (let n = 0; n < times; n++) expect((await move(String(n))).status).toBe(200);
  expectWait((await move('99999')) as never, seconds);
  const { rows } = await bank.test.database.ownerPool.query('SELECT zip_code FROM customers WHERE id = $1', [
    wren._id,
  ]);
  expect(rows).toEqual([{ zip_code: String(times - 1) }]);
});

test('a payment can be canceled although a thief in a session has used up the changes of the hour [BR-40]', async () => {
  const { token } = await bank.customer({ dollars: 5 });
  const to = { bankName: 'First Harbor Bank', accountName: 'Ines', accountNumber: '12345678' };
  const body = { ...to, amount: 5, description: '' };
  const paid = await bank.call(transferApi.sendExternal, { token, body });
  const cancel = (id: string) => bank.call(limitsApi.cancelTransaction, { token, params: { id } });
  const remove = (id: string) => bank.call(payeesApi.removePayee, { token, params: { id } });
  const { times, seconds } = personQuotas.changes;
  for (let n = 0; n < times; n++) expect((await remove(paid.body.data._id)).status).toBe(404);
  expectWait((await remove(paid.body.data._id)) as never, seconds);
  expect((await cancel(paid.body.data._id)).status).toBe(200);
});

test('an administrator’s changes of factors are limited per hour', async () => {
  const token = await bank.adminToken();
  const { times, seconds } = personQuotas.changes;
  const ask = () => bank.call(adminFactorsApi.adminPasskeyOptions, { token });
  for (let n = 0; n < times; n++) expect((await ask()).status).toBe(200);
  expectWait((await ask()) as never, seconds);
});

test('the payees and scheduled transfers that a customer adds are limited per hour, because each sends a mail', async () => {
  const { token } = await bank.seeded();
  const elsewhere = { kind: 'external', bankName: 'First Harbor', accountName: 'Ines' };
  const dates = { startDate: '2099-01-31', frequency: 'once', amount: 1, description: '' };
  const save = (n: number) =>
    bank.call(payeesApi.addPayee, { token, body: { ...elsewhere, accountNumber: String(10_000 + n) } });
  const schedule = () =>
    bank.call(scheduledApi.addScheduled, {
      token,
      body: { ...elsewhere, ...dates, accountNumber: '12345678' },
    });
  const { times, seconds } = personQuotas.additions;
  for (let n = 0; n < times; n += 50) {
    const saved = await Promise.all(Array.from({ length: 50 }, (_, m) => save(n + m)));
    expect(new Set(saved.map(({ status }) => status))).toEqual(new Set([201]));
  }
  for (const answer of [await save(times), await schedule()]) expectWait(answer as never, seconds);
});
