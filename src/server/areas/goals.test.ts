/** Savings goals over HTTP, and the job that runs their rules, on a complete bank. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { goalsApi } from '#contract/goals.ts';
import { notificationsApi } from '#contract/notifications.ts';
import { recordsApi } from '#contract/records.ts';
import { lastDate } from '#contract/scheduled.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { transferApi } from '#contract/transfer.ts';
import { newId } from '#server/base/uuid.ts';
import { runGoals } from '#server/jobs/goals.ts';
import { setFrozen } from '#server/ledger/accounts.ts';
import { verifyBooks } from '#server/ledger/verify.ts';
import { bankDays, daysLater } from '../../../tests/bankDays.ts';
import type { CallOptions } from '../../../tests/call.ts';
import { creditCustomer, type SeededCustomer } from '../../../tests/seedCustomers.ts';
import { openTestBank, type TestBank } from '../../../tests/server.ts';
import { closeCustomer } from './closing.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await openTestBank({ JOBS: 'off' });
});
afterAll(() => bank.close());

const parts = () => bank.bank.parts;
const owner = () => bank.test.database.ownerPool;

/** A customer with this many dollars. */
const aCustomer = (dollars = 100) => bank.seeded({ cents: BigInt(dollars) * 100n });

const credits = (to: SeededCustomer, dollars: number) =>
  creditCustomer(parts().ledger, to, BigInt(dollars) * 100n);

const trip = { name: 'Trip to Maine', picture: 'trip', target: 500 };
const adds = ({ token }: SeededCustomer, more: object = {}, options: CallOptions = {}) =>
  bank.call(goalsApi.addGoal, { token, body: { ...trip, ...more }, ...options });
/** A customer with this many dollars and a goal. */
async function aSaver(more: object = {}, dollars = 100) {
  const saver = await aCustomer(dollars);
  const { _id } = (await adds(saver, more)).body.data;
  return { ...saver, goal: _id };
}
type Saver = Awaited<ReturnType<typeof aSaver>>;
const moves = ({ token, goal }: Saver, direction: string, amount: number, options: CallOptions = {}) =>
  bank.call(goalsApi.moveGoal, { token, params: { id: goal }, body: { direction, amount }, ...options });
const listOf = async ({ token }: SeededCustomer) =>
  (await bank.call(goalsApi.listGoals, { token })).body.data;
const balanceOf = async ({ token }: SeededCustomer) =>
  (await bank.call(transactionsApi.balance, { token })).body.data.balance;
const pageOf = async ({ token }: SeededCustomer) =>
  (await bank.call(transactionsApi.listTransactions, { token })).body.data;
const movementsOf = async ({ token, goal }: Saver) =>
  (await bank.call(goalsApi.goalMovements, { token, params: { id: goal } })).body.data.movements;
const sends = ({ token }: SeededCustomer, to: SeededCustomer, amount: number) =>
  bank.call(transferApi.sendInternal, {
    token,
    body: { receiverAccountNumber: to.accountNumber, amount, description: '' },
  });

const { dayFromNow, newYork } = bankDays(owner);
async function runAt(day: string, time: string): Promise<void> {
  const at = await newYork(day, time);
  while (await runGoals({ database: parts().database }, at));
}
const faults = async () => (await verifyBooks(bank.test.database.reader)).faults;

test('a customer saves for a trip: what is in the goal is not in the available balance [GO-01, GO-02]', async () => {
  const anna = await aCustomer();
  const made = await adds(anna, { targetDate: '2099-06-01' });
  expect(made.status).toBe(201);
  const goal = made.body.data;
  expect(goal).toEqual({
    _id: expect.any(String),
    ...trip,
    targetDate: '2099-06-01',
    saved: 0,
    roundUp: false,
    createdAt: expect.any(String),
  });
  const saver = { ...anna, goal: goal._id };
  expect((await moves(saver, 'in', 60.25)).body.data).toMatchObject({ amount: 60.25, savedAfter: 60.25 });
  expect((await moves(saver, 'out', 10)).body.data).toMatchObject({ direction: 'out', savedAfter: 50.25 });
  expect(await balanceOf(anna)).toBe(49.75);
  expect(await listOf(anna)).toEqual({ saved: 50.25, goals: [{ ...goal, saved: 50.25 }] });
  expect(await movementsOf(saver)).toMatchObject([
    { direction: 'out', amount: 10, cause: 'customer', savedAfter: 50.25 },
    { direction: 'in', amount: 60.25, cause: 'customer', savedAfter: 60.25 },
  ]);
  const query = { person: anna.customerId };
  const { records } = (await bank.call(adminApi.auditLog, { token: await bank.adminToken(), query })).body
    .data;
  expect(records.find(({ action }) => action === 'goal.added')).toMatchObject({
    details: 'goal Trip to Maine',
  });
  expect(records.find(({ action }) => action === 'goal.moved')).toMatchObject({
    subjectName: 'Trip to Maine',
  });
});

test('the specification’s lists and figures leave goals out: money moved into a goal is neither sent nor received [GO-03]', async () => {
  const saver = await aSaver();
  const before = await pageOf(saver);
  await moves(saver, 'in', 60);
  expect(await pageOf(saver)).toEqual(before);
  expect((await sends(saver, await aCustomer(), 50)).body.code).toBe('INSUFFICIENT_BALANCE');
});

test('a statement and an export show the goal’s movements among the others, and their balances add up [GO-04]', async () => {
  const [saver, ben] = [await aSaver(), await aCustomer()];
  await sends(saver, ben, 5);
  await moves(saver, 'in', 60);
  await sends(saver, ben, 1);
  await moves(saver, 'out', 20);
  const { token } = saver;
  const [month] = (await bank.call(recordsApi.statements, { token })).body.data;
  expect(month).toMatchObject({
    openingBalance: 0,
    moneyIn: 120,
    moneyOut: 66,
    closingBalance: 54,
    count: 5,
  });
  const path = `${bank.url}${transactionsApi.exportTransactions.path}?format=csv`;
  const answer = await fetch(path, { headers: { authorization: `Bearer ${token}` } });
  const rows = (await answer.text()).trim().split('\r\n').slice(1);
  const cells = rows.map(row => row.split(','));
  expect(
    cells.map(([, , type, , name, , , note, amount, balance]) => [type, name, note, amount, balance]),
  ).toEqual([
    ['admin-credit', 'Larkspur Bank', 'start', '100.00', '100.00'],
    ['transfer', expect.any(String), '', '-5.00', '95.00'],
    ['goal', trip.name, 'To savings goal', '-60.00', '35.00'],
    ['transfer', expect.any(String), '', '-1.00', '34.00'],
    ['goal', trip.name, 'From savings goal', '20.00', '54.00'],
  ]);
  const tomorrow = await dayFromNow(1);
  const camt = await fetch(`${path.replace('csv', 'camt053')}&startDate=${tomorrow}&endDate=${tomorrow}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(
    [...(await camt.text()).matchAll(/<Cd>(OPBD|CLBD).*?<Amt Ccy="USD">([\d.]+)/g)].map(
      ([, code, amount]) => [code, amount],
    ),
  ).toEqual([
    ['OPBD', '54.00'],
    ['CLBD', '54.00'],
  ]);
});

test('a returned payment is listed after earlier movements to a goal [GO-04]', async () => {
  const [saver, ben] = [await aSaver(), await aCustomer()];
  const { ledger, database } = parts();
  const { _id } = await ledger.sendExternal({
    customerId: saver.customerId,
    sessionId: null,
    amountCents: 1_000n,
    description: '',
    address: '::1',
    bank: { bankName: 'First Harbor Bank', accountName: 'Ines Caldeira', accountNumber: '12345678' },
  });
  await moves(saver, 'in', 60);
  await database.inTransaction(tx => ledger.endExternal(tx, _id, { isSettled: false, reason: '' }));
  await sends(saver, ben, 1);
  const answer = await fetch(`${bank.url}${transactionsApi.exportTransactions.path}?format=csv`, {
    headers: { authorization: `Bearer ${saver.token}` },
  });
  const rows = (await answer.text()).trim().split('\r\n').slice(1);
  expect(rows.map(row => row.split(',').slice(8, 10))).toEqual([
    ['100.00', '100.00'],
    ['-10.00', '90.00'],
    ['-60.00', '30.00'],
    ['10.00', '40.00'],
    ['-1.00', '39.00'],
  ]);
});

test('a repeated key moves money once and gets the first answer, even if that was a refusal [GO-05]', async () => {
  const saver = await aSaver();
  const once = { headers: { 'idempotency-key': newId() } };
  const first = await moves(saver, 'in', 60, once);
  expect(await moves(saver, 'in', 60, once)).toMatchObject({ body: first.body });
  expect((await moves(saver, 'in', 61, once)).body.code).toBe('IDEMPOTENCY_MISMATCH');
  const refused = { headers: { 'idempotency-key': newId() } };
  const tooMuch = await moves(saver, 'in', 41, refused);
  expect(tooMuch).toMatchObject({
    status: 422,
    body: { code: 'INSUFFICIENT_BALANCE', message: 'Insufficient balance' },
  });
  await moves(saver, 'out', 60);
  expect((await moves(saver, 'in', 41, refused)).status).toBe(422);
  expect((await moves(saver, 'out', 1)).body.message).toBe('There isn’t that much in this goal');
  expect(await balanceOf(saver)).toBe(100);
  const added = { headers: { 'idempotency-key': newId() } };
  const goals = await Promise.all([1, 2, 3].map(() => adds(saver, {}, added)));
  expect(new Set(goals.map(({ body }) => body.data._id)).size).toBe(1);
});

test('a customer who repeats a request after a freeze gets the first answer, but adds and moves nothing new [GO-05, GO-07]', async () => {
  const saver = await aSaver();
  const key = () => ({ headers: { 'idempotency-key': newId() } });
  const [added, moved] = [key(), key()];
  const goal = await adds(saver, {}, added);
  const movement = await moves(saver, 'in', 60, moved);
  await parts().database.inTransaction(tx => setFrozen(tx, saver.accountId, true));
  expect(await adds(saver, {}, added)).toMatchObject({ status: 201, body: goal.body });
  expect(await moves(saver, 'in', 60, moved)).toMatchObject({ status: 201, body: movement.body });
  for (const more of [{}, key()]) {
    expect((await adds(saver, {}, more)).body.code).toBe('ACCOUNT_FROZEN');
    expect((await moves(saver, 'in', 1, more)).body.code).toBe('ACCOUNT_FROZEN');
  }
  expect((await listOf(saver)).goals).toHaveLength(2);
  expect(await balanceOf(saver)).toBe(40);
});

test('a customer who mistypes the year of a goal’s date reads which days are possible, and can choose the last of them [GO-20]', async () => {
  const saver = await aSaver();
  const params = { id: saver.goal };
  const change = (body: object) => bank.call(goalsApi.changeGoal, { token: saver.token, params, body });
  const message = 'Choose a day within the next 100 years';
  const rule = { amount: 1, frequency: 'weekly' };
  for (const far of [daysLater(lastDate(), 1), '9999-12-31']) {
    const fields = [
      [{ targetDate: far }, 'targetDate'],
      [{ rule: { ...rule, startDate: far } }, 'rule.startDate'],
    ] as const;
    for (const [body, field] of fields)
      for (const refused of [await change(body), await adds(saver, body)])
        expect(refused).toMatchObject({ status: 400, body: { errors: [{ field, message }] } });
  }
  const body = { targetDate: lastDate(), rule: { ...rule, startDate: lastDate() } };
  expect((await change(body)).body.data).toMatchObject({ targetDate: lastDate() });
});

test('concurrent movements and transfers of one account lose no cent and do not deadlock [GO-06]', async () => {
  const [saver, ben] = [await aSaver(), await aSaver()];
  const acts = Array.from({ length: 8 }, () => [
    () => moves(saver, 'in', 3),
    () => moves(saver, 'out', 1),
    () => sends(saver, ben, 2),
    () => sends(ben, saver, 1),
    () => moves(ben, 'in', 2),
  ]).flat();
  const answers = await Promise.all(acts.map(act => act()));
  expect(answers.filter(({ status }) => status !== 201 && status !== 422)).toEqual([]);
  const sums = await Promise.all(
    [saver, ben].map(async each => (await balanceOf(each)) + (await listOf(each)).saved),
  );
  expect(sums[0]! + sums[1]!).toBe(200);
  expect(await faults()).toEqual([]);
});

test('another customer’s goal is not found, a frozen account moves nothing, and a customer has at most 20 goals [GO-07]', async () => {
  const [saver, thief] = [await aSaver(), await aCustomer()];
  const params = { id: saver.goal };
  const { token } = thief;
  await moves(saver, 'in', 10);
  for (const call of [
    moves({ ...thief, goal: saver.goal }, 'out', 1),
    bank.call(goalsApi.goalMovements, { token, params }),
    bank.call(goalsApi.changeGoal, { token, params, body: { target: 1 } }),
    bank.call(goalsApi.removeGoal, { token, params }),
  ])
    expect((await call).status).toBe(404);
  await parts().database.inTransaction(tx => setFrozen(tx, saver.accountId, true));
  expect((await moves(saver, 'out', 1)).body.code).toBe('ACCOUNT_FROZEN');
  expect((await listOf(saver)).saved).toBe(10);
  const twenty = await Promise.all(Array.from({ length: 22 }, () => adds(thief)));
  expect(twenty.filter(({ status }) => status === 409)).toHaveLength(2);
});

test('deleting a goal returns its money, and the money in goals counts when an account is closed [GO-08]', async () => {
  const [saver, rich] = [await aSaver(), await aSaver()];
  await moves(saver, 'in', 100);
  await moves(rich, 'in', 100);
  const owner = { owner: { passwordHash: Buffer.from('not a password hash') }, sessionId: saver.sessionId };
  const closing = { customerId: saver.customerId, closer: owner, address: '::1' };
  await expect(closeCustomer(parts(), closing)).rejects.toMatchObject({ code: 'CONFLICT' });
  const { token } = saver;
  const once = { headers: { 'idempotency-key': newId() } };
  const first = await moves(saver, 'out', 1, once);
  const removed = await bank.call(goalsApi.removeGoal, { token, params: { id: saver.goal } });
  expect(removed.status).toBe(200);
  expect([await balanceOf(saver), await listOf(saver)]).toEqual([100, { saved: 0, goals: [] }]);
  expect(await moves(saver, 'out', 1, once)).toMatchObject({ status: 201, body: first.body });
  expect(await moves(saver, 'in', 1)).toMatchObject({
    status: 404,
    body: { message: 'This savings goal no longer exists.' },
  });

  const unclaimed = async () =>
    (
      await bank.test.database.ownerPool.query<{ balance: bigint }>(
        'SELECT balance FROM ledger_accounts WHERE id = 3',
      )
    ).rows[0]!.balance;
  const before = await unclaimed();
  const closer = { adminId: newId(), mostCents: 0n };
  const byStaff = { customerId: rich.customerId, closer, address: '::1' };
  await expect(closeCustomer(parts(), byStaff)).rejects.toMatchObject({ cents: 10_000n });
  await closeCustomer(parts(), { ...byStaff, closer: { ...closer, mostCents: undefined } });
  expect((await unclaimed()) - before).toBe(10_000n);
  expect(await faults()).toEqual([]);
});

test('a rule that failed while the clock was days ahead moves its amount on its date [RC-97]', async () => {
  const today = await dayFromNow(1);
  const saver = await aSaver({ rule: { amount: 160, frequency: 'weekly', startDate: today } });
  await runAt(daysLater(today, 2), '06:00');
  await credits(saver, 100);
  await runAt(today, '06:00');
  expect(await listOf(saver)).toMatchObject({ saved: 160 });
});

test('a rule moves its amount once on each of its dates [GO-09]', async () => {
  const today = await dayFromNow(1);
  const nextWeek = daysLater(today, 7);
  const saver = await aSaver({ rule: { amount: 60, frequency: 'weekly', startDate: today } });
  await runAt(today, '05:59');
  expect(await listOf(saver)).toMatchObject({ saved: 0, goals: [{ rule: { nextDate: today } }] });
  await Promise.all([runAt(today, '06:00'), runAt(today, '06:00')]);
  expect(await listOf(saver)).toMatchObject({
    saved: 60,
    goals: [{ rule: { nextDate: nextWeek }, lastRun: { date: today, isMoved: true } }],
  });
  // Too little money at 6 AM, and enough at noon.
  await runAt(nextWeek, '06:00');
  await runAt(nextWeek, '11:59');
  const retriesAt = (await newYork(nextWeek, '12:00')).toISOString();
  expect(await listOf(saver)).toMatchObject({ saved: 60, goals: [{ rule: { retriesAt } }] });
  await credits(saver, 30);
  await runAt(nextWeek, '12:00');
  expect(await listOf(saver)).toMatchObject({
    saved: 120,
    goals: [{ lastRun: { date: nextWeek, isMoved: true } }],
  });
  expect((await listOf(saver)).goals[0]!.rule).not.toHaveProperty('retriesAt');
  const third = daysLater(nextWeek, 7);
  for (const hour of ['06:00', '12:00', '18:00', '20:00']) await runAt(third, hour);
  expect(await listOf(saver)).toMatchObject({
    saved: 120,
    goals: [{ rule: { nextDate: daysLater(third, 7) }, lastRun: { date: third, isMoved: false } }],
  });
  const { token } = saver;
  const { notifications } = (await bank.call(notificationsApi.listNotifications, { token })).body.data;
  expect(notifications.filter(({ kind }) => kind === 'goal-left-out')).toHaveLength(1);
  const rule = null;
  await bank.call(goalsApi.changeGoal, { token, params: { id: saver.goal }, body: { rule } });
  await runAt(daysLater(third, 7), '06:00');
  expect((await listOf(saver)).goals[0]).not.toHaveProperty('rule');
  expect(await movementsOf(saver)).toMatchObject([
    { cause: 'rule', amount: 60 },
    { cause: 'rule', amount: 60 },
  ]);
});

test('rules and round-ups stop at the target, and continue when money is taken out [GO-15]', async () => {
  const today = await dayFromNow(1);
  const [next, third] = [daysLater(today, 7), daysLater(today, 14)];
  const rule = { amount: 60, frequency: 'weekly', startDate: today };
  const [saver, ben] = [await aSaver({ target: 80, rule, roundUp: true }), await aCustomer()];
  const { token } = saver;
  const scheduled = async () => (await bank.call(transactionsApi.outlook, { token })).body.data.scheduled;
  expect(await scheduled()).toBeLessThanOrEqual(80);
  for (const day of [today, next]) await runAt(day, '06:00');
  expect((await listOf(saver)).saved).toBe(80);
  expect(await scheduled()).toBe(0);
  await sends(saver, ben, 1.5);
  await runAt(third, '06:00');
  expect(await listOf(saver)).toMatchObject({
    saved: 80,
    goals: [{ lastRun: { date: next, isMoved: true }, rule: { nextDate: daysLater(third, 7) } }],
  });
  await moves(saver, 'out', 5);
  await runAt(daysLater(third, 7), '06:00');
  expect((await movementsOf(saver)).map(({ amount }) => amount)).toEqual([5, 5, 20, 60]);
  expect(await faults()).toEqual([]);
});

test('a rule that is changed on the day it ran does not move money twice that day, and the goal still shows the run [GO-18]', async () => {
  const today = await dayFromNow(1);
  const nextWeek = daysLater(today, 7);
  const rule = { amount: 10, frequency: 'weekly', startDate: today };
  const saver = await aSaver({ rule });
  const change = async (next: object | null) =>
    (
      await bank.call(goalsApi.changeGoal, {
        token: saver.token,
        params: { id: saver.goal },
        body: { rule: next },
      })
    ).body.data;
  await runAt(today, '06:00');
  const lastRun = { date: today, isMoved: true };
  expect(await change({ ...rule, amount: 20 })).toMatchObject({ rule: { nextDate: nextWeek }, lastRun });
  await runAt(today, '12:00');
  expect(await listOf(saver)).toMatchObject({ saved: 10, goals: [{ lastRun }] });
  expect(await change(null)).not.toHaveProperty('rule');
  expect(await change({ ...rule, amount: 30 })).toMatchObject({ rule: { nextDate: nextWeek } });
  await runAt(nextWeek, '06:00');
  expect(await listOf(saver)).toMatchObject({ saved: 40, goals: [{ lastRun: { date: nextWeek } }] });
});

test('a goal whose rule fails does not stop the goals of other customers, and is tried again [GO-19]', async () => {
  const today = await dayFromNow(1);
  const rule = { amount: 10, frequency: 'weekly', startDate: today };
  const [failing, other] = [await aSaver({ rule }), await aSaver({ rule })];
  await owner().query(`
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'this goal fails'; END $$;
    CREATE TRIGGER fail BEFORE INSERT ON goal_movements
      FOR EACH ROW WHEN (NEW.actor = '${failing.customerId}') EXECUTE FUNCTION fail()`);
  await expect(runAt(today, '06:00')).rejects.toThrow('this goal fails');
  expect((await listOf(other)).saved).toBe(10);
  await owner().query('DROP FUNCTION fail CASCADE');
  await runAt(today, '06:00');
  expect((await listOf(failing)).saved).toBe(10);
});

test('a key that a customer chose does not stop the rule of the goal from moving money [GO-05]', async () => {
  const today = await dayFromNow(0);
  const saver = await aSaver({ rule: { amount: 5, frequency: 'weekly', startDate: today } });
  const headers = { 'idempotency-key': JSON.stringify(['rule', saver.goal, today]) };
  await moves(saver, 'in', 5, { headers });
  await moves(saver, 'out', 5);
  await runAt(today, '06:00');
  expect((await listOf(saver)).saved).toBe(5);
  expect((await movementsOf(saver))[0]).toMatchObject({ cause: 'rule', direction: 'in', amount: 5 });
});

test('round-ups move the difference of each transfer to the next dollar into one goal, once a day [GO-10]', async () => {
  const [saver, ben] = [await aSaver(), await aCustomer()];
  const today = await dayFromNow(0);
  await sends(saver, ben, 1.5);
  const { token } = saver;
  const second = (await adds(saver, { name: 'Piano', roundUp: true })).body.data;
  await bank.call(goalsApi.changeGoal, { token, params: { id: saver.goal }, body: { roundUp: true } });
  expect((await listOf(saver)).goals.map(({ roundUp }) => roundUp)).toEqual([true, false]);
  for (const amount of [4.2, 3, 0.99]) await sends(saver, ben, amount);
  await runAt(today, '23:59');
  expect((await listOf(saver)).saved).toBe(0);
  const tomorrow = daysLater(today, 1);
  await Promise.all([runAt(tomorrow, '06:00'), runAt(tomorrow, '06:00')]);
  await runAt(daysLater(today, 2), '06:00');
  expect((await listOf(saver)).goals).toMatchObject([{ saved: 0.81 }, { _id: second._id, saved: 0 }]);
  expect(await movementsOf(saver)).toMatchObject([{ cause: 'round-up', amount: 0.81 }]);
  expect(await faults()).toEqual([]);
});

test('round-ups that cannot be read do not stop those of other customers [GO-19]', async () => {
  const [broken, other, ben] = [
    await aSaver({ roundUp: true }),
    await aSaver({ roundUp: true }),
    await aCustomer(),
  ];
  await sends(other, ben, 1.5);
  await owner().query('UPDATE goals SET round_up_seq = 9223372036854775807 WHERE id = $1', [broken.goal]);
  const tomorrow = await dayFromNow(1);
  await expect(runAt(tomorrow, '06:00')).rejects.toThrow('bigint out of range');
  expect((await listOf(other)).saved).toBe(0.5);
  await owner().query('DELETE FROM goals WHERE id = $1', [broken.goal]);
});

test('round-ups of more than 10,000 transactions take several days, so that they delay no one [GO-10]', async () => {
  const [saver, ben] = [await aSaver({ roundUp: true }, 200), await aCustomer()];
  // Inserted directly, because posting that many would take too long.
  await owner().query(
    `INSERT INTO transactions (id, type, amount, sender_account, sender_seq, receiver_account, receiver_seq, created_at, actor,
                               key_hash, request_hash, reference, description)
     SELECT gen_random_uuid(), 'transfer', 99, $1, 1 + n, $2, 1 + n, now(), $3, gen_random_uuid(), gen_random_uuid(),
            'LB-FULL-' || lpad(n::text, 9, '0'), ''
       FROM generate_series(1, 12000) n`,
    [saver.accountId, ben.accountId, saver.customerId],
  );
  await owner().query('UPDATE ledger_accounts SET entry_count = entry_count + 12000 WHERE id = ANY ($1)', [
    [saver.accountId, ben.accountId],
  ]);
  await runAt(await dayFromNow(1), '06:00');
  expect((await listOf(saver)).saved).toBe(100);
  await runAt(await dayFromNow(2), '06:00');
  expect((await listOf(saver)).saved).toBe(120);
});
