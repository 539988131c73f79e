/** What one person may cost the bank, from however many sessions, also where quotas of addresses are lifted. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { authApi } from '#contract/auth.ts';
import { personQuotas } from '#contract/constants.ts';
import { notificationsApi } from '#contract/notifications.ts';
import { settingsApi } from '#contract/settings.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { transferApi } from '#contract/transfer.ts';
import type { ApiAnswer } from '../../../tests/call.ts';
import { eventually, openTestBank, type TestBank } from '../../../tests/server.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await openTestBank({ RATE_LIMITS: 'off' });
});
afterAll(() => bank.close());

/** Fails unless the answer is a refusal that says how long to wait, up to `seconds`. */
function expectWait({ status, body, headers }: ApiAnswer<never>, seconds: number): void {
  expect({ status, code: body.code }).toEqual({ status: 429, code: 'TOO_MANY' });
  expect(String(body.waitTime)).toBe(headers.get('retry-after'));
  expect(body.waitTime).toBeGreaterThan(seconds / 2);
  expect(body.waitTime).toBeLessThanOrEqual(seconds);
}

const lookUp = (token: string, accountNumber: string) =>
  bank.call(transferApi.verifyAccount, { token, params: { accountNumber } });
const upload = (token: string, to: 'uploadAvatar' | 'uploadIdCard', picture = bank.form().get('avatar')!) => {
  const body = new FormData();
  body.append('avatar', picture as File, 'me.webp');
  return bank.call(settingsApi[to], { token, body });
};

test('one customer looks up so many receivers a minute over all sessions, and others go on looking', async () => {
  const [wren, jun] = [await bank.customer(), await bank.customer()];
  const tokens = [wren.token, await bank.login(wren.email)];
  const { times, seconds } = personQuotas.lookups;
  // A number that nobody has is a guess like any other.
  for (let n = 0; n < times; n++)
    expect((await lookUp(tokens[n % 2]!, n % 3 ? jun.accountNumber : '100000000000')).status).not.toBe(429);
  for (const token of tokens) expectWait(await lookUp(token, jun.accountNumber), seconds);
  expect((await lookUp(jun.token, wren.accountNumber)).status).toBe(200);
});

test('one customer finds so often an hour that a number is nobody’s, by looking up and by sending, and pays for no other guess', async () => {
  const [wren, jun, noor] = [
    await bank.customer({ dollars: 5 }),
    await bank.customer({ dollars: 5 }),
    await bank.customer(),
  ];
  const send = ({ token }: { token: string }, receiverAccountNumber: string, amount = 1) =>
    bank.call(transferApi.sendInternal, { token, body: { receiverAccountNumber, amount, description: '' } });
  const nobody = '100000000008';
  const { times, seconds } = personQuotas.misses;
  expect((await lookUp(wren.token, nobody)).status).toBe(404);
  // Neither what arrives nor what is too much is a guess.
  expect((await send(wren, noor.accountNumber)).status).toBe(201);
  expect((await send(wren, noor.accountNumber, 9)).status).toBe(422);
  for (let tried = 1; tried < times; ) {
    const together = Math.min(50, times - tried);
    const tries = await Promise.all(Array.from({ length: together }, () => send(wren, nobody)));
    expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([404]));
    tried += together;
  }
  for (const number of [nobody, noor.accountNumber]) {
    expectWait((await send(wren, number)) as never, seconds);
    expectWait(await lookUp(wren.token, number), seconds);
  }
  const { balance } = (await bank.call(transactionsApi.balance, { token: wren.token })).body.data;
  expect(balance).toBe(4);
  expect((await send(jun, nobody)).status).toBe(404);
  // Whose session has ended is told that, and nothing of quotas.
  await bank.call(authApi.logout, { token: wren.token });
  expect((await send(wren, nobody)).status).toBe(401);
});

test('a customer who asks very much at once waits alone: others are answered meanwhile', async () => {
  const [greedy, jun] = [await bank.customer(), await bank.customer()];
  const holder = await bank.test.database.ownerPool.connect();
  // Closed with its line, the lock is let go whatever happens.
  onTestFinished(() => holder.release(true));
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE notifications IN ACCESS EXCLUSIVE MODE');
  let answered = 0;
  const asked = Array.from({ length: 30 }, async () => {
    await bank.call(notificationsApi.listNotifications, { token: greedy.token });
    answered++;
  });
  await eventually(async () => {
    const { rows } = await bank.test.database.ownerPool.query<{ n: number }>(
      `SELECT count(*)::integer AS n FROM pg_locks WHERE NOT granted AND relation = 'notifications'::regclass`,
    );
    return rows[0]!.n >= 4 ? true : undefined;
  });
  expect((await bank.call(authApi.profile, { token: jun.token })).status).toBe(200);
  expect(answered).toBe(0);
  await holder.query('ROLLBACK');
  await Promise.all(asked);
  expect((await bank.call(notificationsApi.listNotifications, { token: greedy.token })).status).toBe(200);
});

test('one customer has so many pictures kept an hour, before and after approval; what was looked at and is no picture is counted', async () => {
  const waiting = await bank.customer({ approved: false });
  const jun = await bank.customer();
  const { times, seconds } = personQuotas.uploads;
  const junk = new File(['no picture'], 'me.png');
  const wasted = 5;
  for (let n = 0; n < wasted; n++)
    expect((await upload(waiting.token, 'uploadAvatar', junk)).status).toBe(415);
  // All at once, so that none slips through before another is counted.
  const sent = await Promise.all(
    Array.from({ length: times - wasted + 2 }, (_, n) =>
      upload(waiting.token, n % 2 ? 'uploadAvatar' : 'uploadIdCard'),
    ),
  );
  expect(sent.filter(({ status }) => status === 200)).toHaveLength(times - wasted);
  const refused = sent.filter(({ status }) => status !== 200);
  expect(refused).toHaveLength(2);
  for (const answer of refused) expectWait(answer as never, seconds);
  expect((await upload(jun.token, 'uploadAvatar')).status).toBe(200);
});

test('one customer changes contact details so often an hour and no more', async () => {
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
