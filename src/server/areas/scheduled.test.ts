/** Scheduled transfers over HTTP, and the job that runs them, on a complete bank. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { scheduled } from '#contract/constants.ts';
import { goalsApi } from '#contract/goals.ts';
import { limitsApi } from '#contract/limits.ts';
import * as scheduledMessages from '#contract/messages/scheduled.ts';
import { notificationsApi } from '#contract/notifications.ts';
import { scheduledApi } from '#contract/scheduled.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { newId } from '#server/base/uuid.ts';
import { runScheduledTransfers } from '#server/jobs/scheduledTransfers.ts';
import { sendMail } from '#server/jobs/sendMail.ts';
import { setFrozen } from '#server/ledger/accounts.ts';
import type { Ledger } from '#server/ledger/ledger.ts';
import { verifyBooks } from '#server/ledger/verify.ts';
import { lockCustomer } from '#server/people/customers.ts';
import { openIndex } from '#server/people/runTimes.ts';
import { remindOfTomorrow } from '#server/people/scheduledReminders.ts';
import { bankDays, daysLater } from '../../../tests/bankDays.ts';
import type { CallOptions } from '../../../tests/call.ts';
import { closeForGood } from '../../../tests/closeForGood.ts';
import {
  logInAgain,
  type SeededCustomer,
  type SeedOptions,
  seedCustomer,
} from '../../../tests/seedCustomers.ts';
import { openSecondBank, openTestBank, type TestBank } from '../../../tests/server.ts';
import { stepUpProof } from '../../../tests/stepUp.ts';
import { eventually, lockWaits } from '../../../tests/waiting.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await openTestBank({ JOBS: 'off' });
});
afterAll(() => bank.close());

const parts = () => bank.bank.parts;
const owner = () => bank.test.database.ownerPool;

const credits = (to: SeededCustomer, dollars: number) =>
  parts().ledger.credit({
    adminId: to.customerId,
    sessionId: null,
    accountNumber: to.accountNumber,
    amountCents: BigInt(dollars) * 100n,
    description: 'start',
    address: '::1',
  });

/** A customer with this many dollars; $100 by default. */
async function aCustomer(wanted: SeedOptions & { dollars?: number } = {}): Promise<SeededCustomer> {
  const member = await seedCustomer(parts().database, parts().tokens, wanted);
  const { dollars = 100 } = wanted;
  if (dollars > 0) await credits(member, dollars);
  return member;
}

const { dayFromNow, newYork } = bankDays(owner);

const landlord = {
  kind: 'external',
  bankName: 'First Harbor Bank',
  accountName: 'Meadow Rentals',
  accountNumber: '12345678',
};
const rent = { ...landlord, amount: 10, startDate: '2099-01-31', frequency: 'monthly' };
const schedules = ({ token }: SeededCustomer, body: object, more: CallOptions = {}) =>
  bank.call(scheduledApi.addScheduled, { token, body, ...more });
const to = ({ accountNumber }: Pick<SeededCustomer, 'accountNumber'>) => ({
  kind: 'internal',
  receiverAccountNumber: accountNumber,
  amount: 10,
  description: 'allowance',
  frequency: 'weekly',
});
const listOf = async ({ token }: SeededCustomer) =>
  (await bank.call(scheduledApi.listScheduled, { token })).body.data;
const balanceOf = async ({ token }: SeededCustomer) =>
  (await bank.call(transactionsApi.balance, { token })).body.data.balance;
const noticesOf = async ({ token }: SeededCustomer) =>
  (await bank.call(notificationsApi.listNotifications, { token })).body.data.notifications;

/** Runs everything that is due at a time. */
async function runAt(at: Date, ledger = parts().ledger): Promise<void> {
  while (await runScheduledTransfers({ database: parts().database, ledger }, at));
}

/** Schedules weekly $10 from one customer to another, starting in `days` days; returns id and first date. */
async function allowance(from: SeededCustomer, receiver: SeededCustomer, days = 1, more = {}) {
  const startDate = await dayFromNow(days);
  const { body } = await schedules(from, { ...to(receiver), startDate, ...more });
  return { id: body.data._id, date: startDate };
}

/** Moves a schedule into the past, as if the bank had not run since. */
async function moveBack(id: string, days: number): Promise<string> {
  const moved = await owner().query<{ date: string }>(
    `UPDATE scheduled_transfers SET start_date = start_date - $2::int, next_date = next_date - $2::int
      WHERE id = $1 RETURNING next_date::text AS date`,
    [id, days],
  );
  return moved.rows[0]!.date;
}

test('a customer schedules rent, and the 31st becomes the last day of a short month [SC-01, SC-02]', async () => {
  const anna = await aCustomer();
  const made = await schedules(anna, { ...rent, description: 'Rent', count: 12 });
  expect(made.status).toBe(201);
  expect(made.body.data).toEqual({
    _id: expect.any(String),
    kind: 'external',
    name: 'Meadow Rentals',
    bankName: 'First Harbor Bank',
    accountNumber: '12345678',
    amount: 10,
    description: 'Rent',
    startDate: '2099-01-31',
    frequency: 'monthly',
    count: 12,
    status: 'active',
    nextDate: '2099-01-31',
    nextDates: ['2099-01-31', '2099-02-28', '2099-03-31'],
    datesPast: 0,
    isPaused: false,
    missed: [],
    createdAt: expect.any(String),
  });
  expect(await listOf(anna)).toEqual([made.body.data]);
  expect((await noticesOf(anna))[0]?.text).toBe(
    'You scheduled a transfer to Meadow Rentals. If this wasn’t you, contact the Help Desk.',
  );
});

test.each([
  ['once', {}, ['2099-01-30']],
  ['weekly', {}, ['2099-01-30', '2099-02-06', '2099-02-13']],
  ['biweekly', { endDate: '2099-02-20' }, ['2099-01-30', '2099-02-13']],
  ['monthly', { count: 2 }, ['2099-01-30', '2099-02-28']],
  ['yearly', {}, ['2099-01-30', '2100-01-30', '2101-01-30']],
])('a %s transfer with %j has the expected next dates [SC-02]', async (frequency, more, dates) => {
  const anna = await aCustomer();
  const made = await schedules(anna, { ...rent, startDate: '2099-01-30', frequency, ...more });
  expect(made.body.data.nextDates).toEqual(dates);
});

test('a yearly transfer that begins on Feb 29 runs on Feb 28 in other years [SC-02]', async () => {
  const anna = await aCustomer();
  const made = await schedules(anna, { ...rent, startDate: '2096-02-29', frequency: 'yearly', count: 5 });
  expect(made.body.data.nextDates).toEqual(['2096-02-29', '2097-02-28', '2098-02-28']);
});

test('a scheduled transfer is validated like a transfer [SC-03]', async () => {
  const [anna, ben] = [await aCustomer(), await aCustomer()];
  const refused = async (body: object) => {
    const { status, body: answer } = await schedules(anna, body);
    return [status, answer.message];
  };
  expect(await refused({ ...to(ben), startDate: '2099-01-31', amount: 0 })).toEqual([
    400,
    'Please enter a valid amount',
  ]);
  expect(await refused({ ...to(ben), startDate: '2099-01-31', receiverAccountNumber: '12' })).toEqual([
    400,
    'Account number must be 12 digits',
  ]);
  expect(
    await refused({ ...to(ben), startDate: '2099-01-31', receiverAccountNumber: '000000000000' }),
  ).toEqual([404, 'Account not found']);
  expect(await refused({ ...to(anna), startDate: '2099-01-31' })).toEqual([
    422,
    'You can’t send money to your own account.',
  ]);
  expect(await refused({ ...rent, bankName: undefined })).toEqual([400, 'Please choose a bank']);
  expect(await refused({ ...rent, accountNumber: 'DE00370400440532013000' })).toEqual([
    400,
    'This IBAN isn’t valid. Check the digits and letters.',
  ]);
  expect(await refused({ ...rent, startDate: await dayFromNow(-1) })).toEqual([
    400,
    'Choose today or a later day',
  ]);
  expect(await refused({ ...rent, startDate: '2099-02-30' })).toEqual([
    400,
    'Start date must be a date like 2026-11-21',
  ]);
  expect(await refused({ ...rent, endDate: '2098-12-31' })).toEqual([
    400,
    'The last day can’t be before the first',
  ]);
  expect(await listOf(anna)).toEqual([]);
});

test('the same key schedules once, and is refused with another body [SC-04]', async () => {
  const anna = await aCustomer();
  const headers = { 'idempotency-key': newId() };
  const both = await Promise.all([schedules(anna, rent, { headers }), schedules(anna, rent, { headers })]);
  expect(both.map(({ status }) => status)).toEqual([201, 201]);
  expect(both[1].body.data).toEqual(both[0].body.data);
  const other = await schedules(anna, { ...rent, amount: 11 }, { headers });
  expect(other.body.code).toBe('IDEMPOTENCY_MISMATCH');
  expect(await listOf(anna)).toHaveLength(1);
  // The same key from another customer is a different key.
  expect((await schedules(await aCustomer(), rent, { headers })).body.data._id).not.toBe(
    both[0].body.data._id,
  );
});

test('a customer who repeats a request reads that the transfer was scheduled, even after the receiver left or a freeze [SC-04]', async () => {
  const [anna, ben] = [await aCustomer(), await aCustomer()];
  const body = { ...to(ben), startDate: '2099-01-31' };
  const headers = { 'idempotency-key': newId() };
  const first = await schedules(anna, body, { headers });
  await closeForGood(parts().database, ben.accountId);
  await parts().database.inTransaction(tx => setFrozen(tx, anna.accountId, true));
  const again = await schedules(anna, body, { headers });
  expect(again).toMatchObject({ status: 201, body: { data: { _id: first.body.data._id } } });
  for (const more of [{}, { headers: { 'idempotency-key': newId() } }])
    expect((await schedules(anna, body, more)).body.code).toBe('ACCOUNT_FROZEN');
  await parts().database.inTransaction(tx => setFrozen(tx, anna.accountId, false));
  const gone = { headers: { 'idempotency-key': newId() } };
  expect((await schedules(anna, body, gone)).body.code).toBe('NOT_FOUND');
});

test('a transfer runs at 6:00 AM on its date and not before, once, with its schedule’s id [SC-05, SC-06]', async () => {
  const [anna, ben] = [await aCustomer(), await aCustomer({ dollars: 0 })];
  const { id, date } = await allowance(anna, ben);
  await runAt(await newYork(date, '05:59:59'));
  expect(await balanceOf(ben)).toBe(0);
  await runAt(await newYork(date, '06:00:00'));
  await runAt(await newYork(date, '06:00:01'));
  expect(await balanceOf(ben)).toBe(10);
  const { transactions } = (await bank.call(transactionsApi.listTransactions, { token: anna.token })).body
    .data;
  expect(transactions[0]).toMatchObject({ amount: 10, description: 'allowance', scheduledTransferId: id });
  const received = (await bank.call(transactionsApi.listTransactions, { token: ben.token })).body.data;
  expect(received.transactions[0]).not.toHaveProperty('scheduledTransferId');
  const [after] = await listOf(anna);
  expect(after).toMatchObject({
    status: 'active',
    lastRun: { date, result: 'sent', transactionId: transactions[0]!._id },
  });
  expect(after!.nextDate! > date).toBe(true);
});

test('external transfers run too, and a transfer with only one date ends after that date [SC-05]', async () => {
  const anna = await aCustomer();
  const startDate = await dayFromNow(1);
  await schedules(anna, { ...rent, startDate, frequency: 'once' });
  await runAt(await newYork(startDate, '06:00:00'));
  expect(await balanceOf(anna)).toBe(90);
  expect(await listOf(anna)).toMatchObject([
    { status: 'ended', nextDate: null, lastRun: { result: 'sent' } },
  ]);
});

test('on days when daylight saving time begins or ends, a transfer runs at 6:00 AM of the new time [SC-05]', async () => {
  for (const [date, before, on] of [
    // New York sets its clocks forward on Mar 14, 2027, and back on Nov 7, 2027.
    ['2027-03-14', '2027-03-14T09:59:59Z', '2027-03-14T10:00:00Z'],
    ['2027-11-07', '2027-11-07T10:59:59Z', '2027-11-07T11:00:00Z'],
  ] as const) {
    const [anna, ben] = [await aCustomer(), await aCustomer({ dollars: 0 })];
    await schedules(anna, { ...to(ben), startDate: date });
    await runAt(new Date(before));
    expect(await balanceOf(ben)).toBe(0);
    await runAt(new Date(on));
    expect(await balanceOf(ben)).toBe(10);
  }
});

test('no date is paid twice if the clock is set back or forward [SC-06]', async () => {
  const [anna, ben] = [await aCustomer(), await aCustomer({ dollars: 0 })];
  const { date } = await allowance(anna, ben);
  for (const time of ['06:00', '05:00', '23:00', '06:00']) await runAt(await newYork(date, time));
  expect(await balanceOf(ben)).toBe(10);
  await runAt(await newYork(daysLater(date, 1), '06:00'));
  await runAt(await newYork(date, '06:00'));
  expect(await balanceOf(ben)).toBe(10);
});

test('if a process dies after posting, the next run finds the date paid and does not pay it again [SC-06]', async () => {
  const [anna, ben] = [await aCustomer(), await aCustomer({ dollars: 0 })];
  const { id, date } = await allowance(anna, ben);
  const at = await newYork(date, '06:00');
  // The money moves, but the answer never arrives.
  const dying = {
    ...parts().ledger,
    runScheduled: async (...order: Parameters<Ledger['runScheduled']>) => {
      await parts().ledger.runScheduled(...order);
      throw new Error('the process died');
    },
  };
  const logged: object[] = [];
  const log = { error: (details: object) => logged.push(details) };
  const run = runScheduledTransfers({ database: parts().database, ledger: dying, log }, at);
  await expect(run).rejects.toThrow('the process died');
  expect(await balanceOf(ben)).toBe(10);
  // A failure other than a refusal is logged.
  expect(logged).toMatchObject([{ err: { message: 'the process died' }, schedule: id }]);
  // Skipping the date now would claim that nothing was paid.
  const skipped = await bank.call(scheduledApi.skipScheduled, { token: anna.token, params: { id } });
  expect(skipped).toMatchObject({ status: 409, body: { message: 'This date was already paid.' } });
  await bank.call(scheduledApi.changeScheduled, { token: anna.token, params: { id }, body: { amount: 20 } });
  await runAt(at);
  expect(await balanceOf(ben)).toBe(10);
  expect((await listOf(anna))[0]!.lastRun).toMatchObject({ date, result: 'sent' });
});

test('a scheduled transfer that fails unexpectedly is reported and tried again, and does not stop the others [SC-06]', async () => {
  const [anna, ben, cleo] = [await aCustomer(), await aCustomer({ dollars: 0 }), await aCustomer()];
  const { id, date } = await allowance(anna, ben);
  await allowance(cleo, ben);
  const at = await newYork(date, '06:00');
  const failing = {
    ...parts().ledger,
    runScheduled: async (order: Parameters<Ledger['runScheduled']>[0]) => {
      if (order.scheduleId === id) throw new Error('no posting for Anna');
      return await parts().ledger.runScheduled(order);
    },
  };
  await expect(runAt(at, failing)).rejects.toThrow('no posting for Anna');
  expect(await balanceOf(ben)).toBe(10);
  await runAt(at);
  expect(await balanceOf(ben)).toBe(20);
});

test('a date whose payment was posted but not recorded counts as paid, even after days of downtime or when the customer skips it [SC-06]', async () => {
  const [anna, ben] = [await aCustomer(), await aCustomer({ dollars: 0 })];
  const oldDate = async () => {
    const { id } = await allowance(anna, ben, 1, { frequency: 'once' });
    return { scheduleId: id, date: await moveBack(id, 5) };
  };
  const [posted, missed] = [await oldDate(), await oldDate()];
  const transfer = {
    customerId: anna.customerId,
    amountCents: 1_000n,
    description: 'allowance',
    receiverAccountNumber: ben.accountNumber,
    bank: null,
  };
  await parts().ledger.runScheduled({ ...posted, ...transfer });
  await runAt(await newYork(await dayFromNow(0), '06:30'));
  const found = await listOf(anna);
  expect(found.find(({ _id }) => _id === posted.scheduleId)).toMatchObject({
    missed: [],
    lastRun: { date: posted.date, result: 'sent' },
  });
  expect(found.find(({ _id }) => _id === missed.scheduleId)).toMatchObject({ missed: [missed.date] });
  // The customer sends the missed date, and the process dies before it answers.
  await parts().ledger.runScheduled({ ...missed, ...transfer });
  const left = await bank.call(scheduledApi.decideMissed, {
    token: anna.token,
    params: { id: missed.scheduleId },
    body: { date: missed.date, isSent: false },
  });
  expect(left.body).toMatchObject({
    message: scheduledMessages.sent,
    data: { missed: [], lastRun: { date: missed.date, result: 'sent' } },
  });
  expect(await balanceOf(ben)).toBe(20);
});

test('two processes that run the same dates at the same moment pay each date once [SC-06]', async () => {
  const receiver = await aCustomer({ dollars: 0 });
  const senders: SeededCustomer[] = [];
  for (let n = 0; n < 12; n++) senders.push(await aCustomer());
  const startDate = await dayFromNow(1);
  for (const sender of senders) await schedules(sender, { ...to(receiver), startDate });
  const second = await openSecondBank(bank);
  try {
    const at = await newYork(startDate, '06:00');
    await Promise.all([runAt(at), runAt(at, second.bank.parts.ledger), runAt(at), runAt(at)]);
  } finally {
    await second.bank.stop();
  }
  expect(await balanceOf(receiver)).toBe(120);
});

test('with too little money, a transfer is tried again at noon and at 6 PM; then the customer is notified [SC-07]', async () => {
  const [anna, ben] = [
    await aCustomer({ dollars: 0 }),
    await aCustomer({ firstName: 'Ben', lastName: 'Day', dollars: 0 }),
  ];
  const { id, date } = await allowance(anna, ben);
  await runAt(await newYork(date, '06:00'));
  expect((await listOf(anna))[0]).toMatchObject({
    nextDate: date,
    retriesAt: (await newYork(date, '12:00')).toISOString(),
  });
  await runAt(await newYork(date, '11:59'));
  await runAt(await newYork(date, '12:00'));
  expect((await listOf(anna))[0]!.retriesAt).toBe((await newYork(date, '18:00')).toISOString());
  await runAt(await newYork(date, '18:00'));
  const [after] = await listOf(anna);
  expect(after).toMatchObject({ status: 'active', lastRun: { date, result: 'failed', reason: 'balance' } });
  expect(after).not.toHaveProperty('retriesAt');
  expect((await noticesOf(anna))[0]).toMatchObject({
    kind: 'scheduled-failed',
    text: 'Your scheduled $10.00 to Ben Day wasn’t sent.',
    isRead: false,
  });
  const sent: { text: string }[] = [];
  const mailer = {
    send: async (mail: { text: string }) => {
      sent.push(mail);
    },
  };
  const now = new Date();
  await sendMail(
    { ...parts(), mailer } as never,
    { id: '1', createdAt: now, startedAt: now, attempts: 1 },
    { template: 'scheduled-failed', personId: anna.customerId, scheduleId: id, date },
  );
  expect(sent[0]?.text).toContain('You didn’t have enough money');
});

test('if the missing money arrives before noon, the transfer is sent at noon [SC-07]', async () => {
  const [anna, ben] = [await aCustomer({ dollars: 0 }), await aCustomer({ dollars: 0 })];
  const { date } = await allowance(anna, ben);
  await runAt(await newYork(date, '06:00'));
  await credits(anna, 10);
  await runAt(await newYork(date, '12:00'));
  expect(await balanceOf(ben)).toBe(10);
});

test('a transfer that failed while the clock was days ahead is sent on its date, not when the clock shows that day again [RC-97]', async () => {
  const [anna, ben] = [await aCustomer({ dollars: 0 }), await aCustomer({ dollars: 0 })];
  const { date } = await allowance(anna, ben);
  await runAt(await newYork(daysLater(date, 2), '06:00'));
  await credits(anna, 10);
  await runAt(await newYork(date, '06:00'));
  expect(await balanceOf(ben)).toBe(10);
});

test('after downtime a date runs up to three days late; for an older date, the customer is asked [SC-08]', async () => {
  const [anna, ben] = [await aCustomer(), await aCustomer({ dollars: 0, firstName: 'Ben', lastName: 'Day' })];
  const late = await allowance(anna, ben, 1, { frequency: 'once' });
  const tooLate = await allowance(anna, ben, 1, { frequency: 'once' });
  await moveBack(late.id, 4);
  const date = await moveBack(tooLate.id, 5);
  await runAt(await newYork(await dayFromNow(0), '06:30'));
  expect(await balanceOf(ben)).toBe(10);
  const missed = (await listOf(anna)).find(({ _id }) => _id === tooLate.id)!;
  expect(missed).toMatchObject({ missed: [date], status: 'ended' });
  expect((await noticesOf(anna)).find(({ kind }) => kind === 'scheduled-missed')?.text).toBe(
    'We couldn’t send your scheduled $10.00 to Ben Day on time. Choose whether to send it now.',
  );
  const decide = (isSent: boolean) =>
    bank.call(scheduledApi.decideMissed, {
      token: anna.token,
      params: { id: tooLate.id },
      body: { date, isSent },
    });
  const [first, second] = await Promise.all([decide(true), decide(true)]);
  expect(new Set([first.status, second.status])).toEqual(new Set([200, 409]));
  expect(await balanceOf(ben)).toBe(20);
  expect((await listOf(anna)).find(({ _id }) => _id === tooLate.id)).toMatchObject({
    missed: [],
    lastRun: { date, result: 'sent' },
  });
  expect((await decide(false)).status).toBe(409);
});

test('a customer skips, changes, pauses, resumes and deletes a scheduled transfer [SC-09]', async () => {
  const [anna, ben] = [await aCustomer(), await aCustomer({ dollars: 0 })];
  const { id, date } = await allowance(anna, ben);
  const params = { id };
  const { token } = anna;
  const change = (body: object) => bank.call(scheduledApi.changeScheduled, { token, params, body });
  const skipped = await bank.call(scheduledApi.skipScheduled, { token, params });
  expect(skipped.body.data).toMatchObject({ lastRun: { date, result: 'skipped' } });
  await runAt(await newYork(date, '06:00'));
  expect(await balanceOf(ben)).toBe(0);
  const next = skipped.body.data.nextDate!;
  expect((await change({ amount: 12.5, description: 'more' })).body.data).toMatchObject({
    amount: 12.5,
    description: 'more',
    nextDate: next,
  });
  expect((await change({ isPaused: true })).body.data.status).toBe('paused');
  await runAt(await newYork(next, '06:00'));
  expect(await balanceOf(ben)).toBe(0);
  expect((await change({ isPaused: false })).body.data).toMatchObject({ status: 'active', nextDate: next });
  await runAt(await newYork(next, '06:00'));
  expect(await balanceOf(ben)).toBe(12.5);
  expect((await change({ startDate: '2099-01-31', frequency: 'monthly', count: 2 })).body.data).toMatchObject(
    {
      nextDates: ['2099-01-31', '2099-02-28'],
      count: 2,
    },
  );
  expect((await change({ startDate: await dayFromNow(-1) })).status).toBe(400);
  expect((await bank.call(scheduledApi.removeScheduled, { token, params })).status).toBe(200);
  expect(await listOf(anna)).toEqual([]);
  expect(await change({ amount: 1 })).toMatchObject({
    status: 404,
    body: { message: 'This scheduled transfer no longer exists.' },
  });
});

test('Skip leaves out only the date on the screen, even if the request is sent twice or that date has just been paid [SC-21]', async () => {
  const [anna, ben] = [await aCustomer(), await aCustomer({ dollars: 0 })];
  const { id, date } = await allowance(anna, ben);
  const skip = async (shown: string) => {
    const asked = { token: anna.token, params: { id }, body: { date: shown } };
    const { status, body } = await bank.call(scheduledApi.skipScheduled, asked);
    return [status, body.message];
  };
  const twice = await Promise.all([skip(date), skip(date)]);
  expect(twice).toEqual(Array(2).fill([200, 'Next date skipped']));
  const [next, later] = [daysLater(date, 7), daysLater(date, 14)];
  expect(await listOf(anna)).toMatchObject([{ nextDate: next, datesPast: 1 }]);
  await runAt(await newYork(next, '06:00'));
  expect(await skip(next)).toEqual([409, 'This date was already paid.']);
  expect(await skip(daysLater(date, 8))).toEqual([409, 'This is not the next date anymore.']);
  expect(await listOf(anna)).toMatchObject([{ nextDate: later, lastRun: { date: next, result: 'sent' } }]);
});

test('a first date that was skipped can be chosen again and is then paid; one that was paid cannot be chosen again [SC-19]', async () => {
  const [anna, ben] = [await aCustomer(), await aCustomer({ dollars: 0 })];
  const { id, date } = await allowance(anna, ben);
  const params = { id };
  const { token } = anna;
  const change = (body: object) => bank.call(scheduledApi.changeScheduled, { token, params, body });
  const skip = async () => (await bank.call(scheduledApi.skipScheduled, { token, params })).body.data;
  expect(await skip()).toMatchObject({ datesPast: 1 });
  expect((await change({ startDate: date })).body.data).toMatchObject({ nextDate: date, datesPast: 0 });
  await runAt(await newYork(date, '06:00'));
  expect((await listOf(anna))[0]).toMatchObject({ lastRun: { date, result: 'sent' } });
  const refused = await change({ startDate: date, amount: 20 });
  expect(refused).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'startDate', message: 'This date is already done. Choose a later day.' }] },
  });
  await runAt(await newYork(date, '06:00'));
  expect((await listOf(anna))[0]).toMatchObject({ amount: 10, nextDate: daysLater(date, 7) });
  expect(await balanceOf(ben)).toBe(10);
});

test('dates that pass while a scheduled transfer is paused are left out [SC-09]', async () => {
  const [anna, ben] = [await aCustomer(), await aCustomer({ dollars: 0 })];
  const { id, date } = await allowance(anna, ben);
  const change = (body: object) =>
    bank.call(scheduledApi.changeScheduled, { token: anna.token, params: { id }, body });
  await change({ isPaused: true });
  const first = await moveBack(id, 10);
  const [shown, last] = [daysLater(date, 4), daysLater(first, 7)];
  // A paused transfer shows the dates on which it would continue.
  expect(await listOf(anna)).toMatchObject([
    {
      status: 'paused',
      nextDate: shown,
      nextDates: [shown, daysLater(shown, 7), daysLater(shown, 14)],
      datesPast: 2,
    },
  ]);
  const resumed = (await change({ isPaused: false })).body.data;
  expect(resumed).toMatchObject({
    status: 'active',
    nextDate: shown,
    datesPast: 2,
    lastRun: { date: last, result: 'skipped', reason: 'paused' },
  });
});

test('after a pause of up to four years, a transfer continues on the first date that has not passed [SC-09]', async () => {
  const { rows } = await owner().query<{ counted: number; tried: number }>(`
    WITH s AS (
      SELECT f AS frequency, d AS next_date, d AS start_date, 0 AS next_index, c AS max_count, e AS end_date
        FROM unnest(ARRAY['once', 'weekly', 'biweekly', 'monthly', 'yearly']) f, unnest(ARRAY[NULL, 1, 9]) c,
             generate_series(1, 1461, 59) back, LATERAL (SELECT bank_day(now()) - back AS d) b,
             LATERAL unnest(ARRAY[NULL, d, d + 200]) e
    )
    SELECT ${openIndex.compile(parts().database.reader).sql} AS counted,
           (SELECT min(i) FROM generate_series(0, 220) i
             WHERE coalesce(scheduled_date_within(start_date, frequency, i, end_date, max_count) >= bank_day(now()), true)
           ) AS tried
      FROM s`);
  expect(rows).toHaveLength(1125);
  expect(rows.filter(({ counted, tried }) => counted !== tried)).toEqual([]);
});

test('skipping or changing a paused transfer whose first dates passed starts from the date that it shows [SC-09, SC-21]', async () => {
  const [anna, ben] = [await aCustomer(), await aCustomer({ dollars: 0 })];
  const { id } = await allowance(anna, ben, 1, { count: 6 });
  const asked = { token: anna.token, params: { id } };
  await bank.call(scheduledApi.changeScheduled, { ...asked, body: { isPaused: true } });
  await moveBack(id, 10);
  const shown = (await listOf(anna))[0]!.nextDate!;
  const skipped = await bank.call(scheduledApi.skipScheduled, { ...asked, body: { date: shown } });
  expect(skipped.body.data).toMatchObject({ nextDate: daysLater(shown, 7), datesPast: 3 });
  await moveBack(id, 14);
  expect((await listOf(anna))[0]).toMatchObject({ nextDate: shown, datesPast: 4 });
  const changed = await bank.call(scheduledApi.changeScheduled, { ...asked, body: { frequency: 'monthly' } });
  expect(changed.body.data).toMatchObject({ status: 'paused', startDate: shown, nextDate: shown, count: 2 });
});

test('saving the number of times of a transfer unchanged changes nothing, and no total passes the limit [SC-26]', async () => {
  const [anna, ben] = [await aCustomer(), await aCustomer({ dollars: 0 })];
  const { id } = await allowance(anna, ben, 1, { frequency: 'weekly', count: 5 });
  const asked = { token: anna.token, params: { id } };
  for (let i = 0; i < 2; i++) await bank.call(scheduledApi.skipScheduled, asked);
  const { nextDate, ...read } = (await listOf(anna))[0]!;
  expect(read).toMatchObject({ count: 5, datesPast: 2 });
  const change = (body: object) => bank.call(scheduledApi.changeScheduled, { ...asked, body });
  for (const same of [{ frequency: 'weekly' }, { startDate: nextDate }, {}])
    expect((await change({ ...same, count: 5 })).body.data).toMatchObject({
      nextDate,
      count: 5,
      datesPast: 2,
    });
  const limit = scheduled.maxCount;
  const refused = await change({ frequency: 'weekly', count: limit });
  expect(refused).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'count', message: `Enter how many times, from 1 to ${limit - 2}` }] },
  });
  expect((await change({ frequency: 'weekly', count: limit - 2 })).body.data).toMatchObject({ count: limit });
});

test('a paused transfer without a date left is paid on a new date, and a larger amount needs a confirmation [SC-09, SC-13]', async () => {
  const [anna, ben] = [await aCustomer({ dollars: 60_000 }), await aCustomer({ dollars: 0 })];
  const { id } = await allowance(anna, ben, 1, { count: 2 });
  const change = (body: object) =>
    bank.call(scheduledApi.changeScheduled, { token: anna.token, params: { id }, body });
  await change({ isPaused: true });
  await moveBack(id, 10);
  expect((await listOf(anna))[0]).toMatchObject({
    status: 'paused',
    isPaused: true,
    nextDate: null,
    nextDates: [],
    datesPast: 0,
  });
  const startDate = await dayFromNow(2);
  expect((await change({ amount: 25_000 })).status).toBe(200);
  expect((await change({ startDate, count: 2 })).body.code).toBe('STEP_UP_REQUIRED');
  expect((await change({ amount: 10 })).status).toBe(200);
  expect((await change({ startDate, count: 2 })).body.data).toMatchObject({
    status: 'paused',
    nextDate: startDate,
  });
  await change({ isPaused: false });
  await runAt(await newYork(startDate, '06:00'));
  expect(await balanceOf(ben)).toBe(10);
});

test('a large transfer whose date passed while it was paused needs a confirmation for a new date [SC-13]', async () => {
  const [anna, ben] = [await aCustomer({ dollars: 60_000 }), await aCustomer({ dollars: 0 })];
  const { id } = await allowance(anna, ben, 1, { frequency: 'once' });
  await owner().query('UPDATE scheduled_transfers SET amount = 2500000 WHERE id = $1', [id]);
  const change = async (change: object) =>
    (await bank.call(scheduledApi.changeScheduled, { token: anna.token, params: { id }, body: change })).body;
  expect((await change({ isPaused: true })).success).toBe(true);
  await moveBack(id, 20);
  const startDate = await dayFromNow(0);
  expect((await change({ startDate, isPaused: false })).code).toBe('STEP_UP_REQUIRED');
  expect((await change({ startDate })).code).toBe('STEP_UP_REQUIRED');
});

test('a single transfer whose date passed while it was paused is not sent late [SC-09]', async () => {
  const [anna, ben] = [await aCustomer(), await aCustomer({ dollars: 0 })];
  const { id, date } = await allowance(anna, ben);
  const change = (body: object) =>
    bank.call(scheduledApi.changeScheduled, { token: anna.token, params: { id }, body });
  await change({ isPaused: true, frequency: 'once' });
  const early = (await change({ isPaused: false })).body.data;
  expect(early).toMatchObject({ status: 'active', nextDate: early.startDate });
  await change({ isPaused: true });
  await moveBack(id, 10);
  const announced = () =>
    owner().query("SELECT FROM notifications WHERE account_id = $1 AND kind LIKE 'schedule-%'", [
      anna.accountId,
    ]);
  const before = (await announced()).rowCount;
  expect(await listOf(anna)).toMatchObject([{ status: 'paused', nextDate: null }]);
  expect((await change({ isPaused: false })).body.data).toMatchObject({
    status: 'ended',
    nextDate: null,
    lastRun: { date: daysLater(date, -10), result: 'skipped', reason: 'paused' },
  });
  // Nothing will be sent, so nothing is announced.
  expect((await announced()).rowCount).toBe(before);
});

test('another customer can’t see or change a scheduled transfer [SC-10]', async () => {
  const [anna, ben] = [await aCustomer(), await aCustomer()];
  const { id } = await allowance(anna, ben);
  const asked = { token: ben.token, params: { id } };
  expect((await bank.call(scheduledApi.skipScheduled, asked)).status).toBe(404);
  expect((await bank.call(scheduledApi.removeScheduled, asked)).status).toBe(404);
  expect((await bank.call(scheduledApi.changeScheduled, { ...asked, body: { amount: 1 } })).status).toBe(404);
  expect(await listOf(ben)).toEqual([]);
  expect(await listOf(anna)).toHaveLength(1);
});

test('a frozen account skips its dates, and after it is unfrozen the next date is paid [SC-11]', async () => {
  const [anna, ben] = [await aCustomer(), await aCustomer({ dollars: 0 })];
  const { date } = await allowance(anna, ben);
  const freeze = (isFrozen: boolean) =>
    parts().database.inTransaction(tx => setFrozen(tx, anna.accountId, isFrozen));
  await freeze(true);
  expect((await listOf(anna))[0]).toMatchObject({ status: 'paused' });
  await runAt(await newYork(date, '06:00'));
  expect(await balanceOf(ben)).toBe(0);
  await freeze(false);
  const [after] = await listOf(anna);
  expect(after).toMatchObject({ status: 'active', lastRun: { date, result: 'skipped', reason: 'frozen' } });
  await runAt(await newYork(after!.nextDate!, '06:00'));
  expect(await balanceOf(ben)).toBe(10);
});

test('a customer whose account is being frozen cannot schedule a transfer or add a goal at that moment [SC-23]', async () => {
  const anna = await aCustomer();
  const asked = await parts().database.inTransaction(async tx => {
    await lockCustomer(tx, anna.customerId);
    const body = { name: 'Boat', picture: 'trip', target: 10 };
    const both = Promise.all([
      schedules(anna, rent),
      bank.call(goalsApi.addGoal, { token: anna.token, body }),
    ]);
    await eventually(async () => (await lockWaits(owner())) >= 2 || undefined);
    await setFrozen(tx, anna.accountId, true);
    return { both };
  });
  for (const { body } of await asked.both) expect(body).toMatchObject({ code: 'ACCOUNT_FROZEN' });
  expect(await listOf(anna)).toEqual([]);
});

test('a thief cannot schedule a transfer while the customer’s own freeze is being stored [SC-23]', async () => {
  const anna = await aCustomer();
  const waiting = async (query: string) => (await lockWaits(owner(), query)) || undefined;
  const { freezing, adding } = await parts().database.inTransaction(async tx => {
    await sql`SELECT FROM ledger_accounts WHERE id = ${anna.accountId} FOR UPDATE`.execute(tx);
    const freezing = bank.call(limitsApi.freezeOwn, { token: anna.token });
    await eventually(() => waiting('ledger_accounts'));
    const adding = schedules(anna, rent);
    await eventually(() => waiting('FROM customers'));
    return { freezing, adding };
  });
  expect((await freezing).status).toBe(200);
  expect((await adding).body).toMatchObject({ code: 'ACCOUNT_FROZEN' });
});

test('a scheduled transfer ends when the receiver’s account is closed, and the customer is notified [SC-11]', async () => {
  const [anna, ben] = [await aCustomer(), await aCustomer({ dollars: 0 })];
  const { date } = await allowance(anna, ben, 0);
  const scheduled = async () =>
    (await bank.call(transactionsApi.outlook, { token: anna.token })).body.data.scheduled;
  expect(await scheduled()).toBe(10);
  await closeForGood(parts().database, ben.accountId);
  expect((await listOf(anna))[0]).toMatchObject({ status: 'ended', nextDate: null, nextDates: [] });
  expect(await scheduled()).toBe(0);
  await runAt(await newYork(date, '06:00'));
  expect((await listOf(anna))[0]).toMatchObject({
    status: 'ended',
    lastRun: { result: 'failed', reason: 'receiver' },
  });
  expect((await noticesOf(anna))[0]?.kind).toBe('scheduled-failed');
});

test('a customer is notified and mailed when a scheduled transfer is resumed, or is changed to send more or on other dates, but not when it is changed to send less [SC-22]', async () => {
  const other = await openTestBank();
  onTestFinished(() => other.close());
  const [anna, ben] = [await other.customer(), await other.customer({ firstName: 'Ben' })];
  const { token } = anna;
  const body = { ...to(ben), startDate: '2099-01-31', frequency: 'monthly', count: 3 };
  const { _id: id } = (await other.call(scheduledApi.addScheduled, { token, body })).body.data;
  const change = (body: object) => other.call(scheduledApi.changeScheduled, { token, params: { id }, body });
  const notices = async () =>
    (await other.call(notificationsApi.listNotifications, { token })).body.data.notifications.filter(
      ({ kind }) => kind === 'schedule-changed' || kind === 'schedule-resumed',
    );
  for (const less of [{ amount: 5 }, { count: 2 }, { description: 'less' }, { isPaused: true }])
    expect((await change(less)).status).toBe(200);
  expect(await notices()).toEqual([]);
  expect((await change({ amount: 12 })).status).toBe(200);
  expect((await change({ frequency: 'weekly' })).status).toBe(200);
  for (let n = 0; n < 2; n++) expect((await change({ isPaused: false })).status).toBe(200);
  expect((await notices()).map(({ text }) => text)).toEqual(
    [
      'You resumed a scheduled transfer.',
      ...Array(2).fill('You changed the amount or dates of a scheduled transfer.'),
    ].map(sentence => `${sentence} If this wasn’t you, contact the Help Desk.`),
  );
  const mailed = (title: string) =>
    eventually(() => other.bank.parts.inbox!.list(anna.email).find(({ subject }) => subject === title));
  await mailed('You resumed a scheduled transfer');
  const mail = await mailed('You changed a scheduled transfer');
  expect(mail.text).toContain('$12.00');
  expect(mail.text).toContain('Ben');
  expect(mail.text).toContain('/freeze-account#');
});

test('a large amount must be confirmed when it is scheduled or changed to send more or sooner, not when it runs [SC-13]', async () => {
  const other = await openTestBank();
  onTestFinished(() => other.close());
  const [anna, ben] = [await other.customer({ dollars: 60_000 }), await other.customer()];
  const { token } = anna;
  const dates = { startDate: '2099-01-31', frequency: 'monthly', endDate: '2099-12-31', count: 3 };
  const body = { ...to(ben), ...dates, amount: 25_000 };
  const headers = { 'idempotency-key': newId() };
  const asked = await other.call(scheduledApi.addScheduled, { token, body, headers });
  expect(asked).toMatchObject({ status: 403, body: { code: 'STEP_UP_REQUIRED' } });
  expect((await other.call(scheduledApi.listScheduled, { token })).body.data).toEqual([]);
  const proof = await stepUpProof(other, anna, asked.body.challenge!._id);
  const more = { ...body, amount: 26_000 };
  const refused = await other.call(scheduledApi.addScheduled, {
    token,
    body: more,
    headers: { 'step-up': proof },
  });
  expect(refused.body.code).toBe('STEP_UP_REQUIRED');
  const made = await other.call(scheduledApi.addScheduled, {
    token,
    body,
    headers: { ...headers, 'step-up': proof },
  });
  expect(made.status).toBe(201);
  const change = async (body: object) =>
    (await other.call(scheduledApi.changeScheduled, { token, params: { id: made.body.data._id }, body }))
      .body;
  for (const more of [
    { amount: 25_001 },
    { frequency: 'weekly' },
    { startDate: '2099-01-30' },
    { endDate: null },
    { count: 4 },
    { count: null },
    { startDate: '2099-01-31', count: 4 },
  ])
    expect({ more, code: (await change(more)).code }).toEqual({ more, code: 'STEP_UP_REQUIRED' });
  for (const less of [{ count: 2 }, { endDate: '2099-06-30' }, { description: 'Rent' }, { isPaused: false }])
    expect({ less, success: (await change(less)).success }).toEqual({ less, success: true });
  await runScheduledTransfers(other.bank.parts, new Date('2099-01-31T11:00:00Z'));
  expect((await other.call(transactionsApi.balance, { token })).body.data.balance).toBe(35_000);
});

test('a missed date is sent with the amount that the customer confirmed, even if the schedule’s amount was changed since [SC-13]', async () => {
  const [anna, ben] = [await aCustomer({ dollars: 60_000 }), await aCustomer({ dollars: 0 })];
  const { id } = await allowance(anna, ben, 1, { frequency: 'monthly' });
  const date = await moveBack(id, 5);
  await runAt(await newYork(await dayFromNow(0), '06:30'));
  const change = (body: object) =>
    bank.call(scheduledApi.changeScheduled, { token: anna.token, params: { id }, body });
  expect((await change({ amount: 25_000, endDate: date })).body.data).toMatchObject({
    status: 'ended',
    missed: [date],
    missedAmounts: [10],
  });
  const { status } = await bank.call(scheduledApi.decideMissed, {
    token: anna.token,
    params: { id },
    body: { date, isSent: true },
  });
  expect(status).toBe(200);
  expect(await balanceOf(ben)).toBe(10);
});

test('once a customer has decided about a missed date, the notification that asked about it is read [SC-08]', async () => {
  const [anna, ben] = [await aCustomer(), await aCustomer({ dollars: 0 })];
  const { id } = await allowance(anna, ben, 1, { frequency: 'monthly' });
  const date = await moveBack(id, 5);
  await runAt(await newYork(await dayFromNow(0), '06:30'));
  const isRead = async () =>
    (
      await owner().query(
        `SELECT read_at IS NOT NULL AS read FROM notifications WHERE account_id = $1 AND kind = 'scheduled-missed'`,
        [anna.accountId],
      )
    ).rows.map(({ read }) => read);
  expect(await isRead()).toEqual([false]);
  const body = { date, isSent: false };
  await bank.call(scheduledApi.decideMissed, { token: anna.token, params: { id }, body });
  expect(await isRead()).toEqual([true]);
});

test('a run that exceeds the daily limit is tried again later, like a run with too little money [SC-13]', async () => {
  const [anna, ben] = [await aCustomer(), await aCustomer({ dollars: 0 })];
  await owner().query('UPDATE ledger_accounts SET daily_out = 900 WHERE id = $1', [anna.accountId]);
  const { date } = await allowance(anna, ben);
  await runAt(await newYork(date, '06:00'));
  expect((await listOf(anna))[0]).toMatchObject({ nextDate: date, retriesAt: expect.any(String) });
  expect(await balanceOf(ben)).toBe(0);
});

test('a customer whose balance is too small for a transfer is mailed once, the day before [SC-17]', async () => {
  const [anna, cleo, ben] = [await aCustomer({ dollars: 5 }), await aCustomer(), await aCustomer()];
  const { id, date } = await allowance(anna, ben, 2);
  await allowance(cleo, ben, 2);
  const remind = async (time: string) => {
    const at = await newYork(await dayFromNow(1), time);
    return await parts().database.inTransaction(tx => remindOfTomorrow(tx, at));
  };
  expect(await remind('08:59')).toBe(0);
  expect(await remind('09:00')).toBe(1);
  expect(await remind('10:00')).toBe(0);
  const queued = await owner().query<{ payload: object }>(
    "SELECT payload FROM graphile_worker._private_jobs WHERE payload->>'template' = 'scheduled-reminder'",
  );
  expect(queued.rows).toEqual([
    { payload: { template: 'scheduled-reminder', personId: anna.customerId, scheduleId: id, date } },
  ]);
});

test('after a restore, a payment to another bank that may have been sent is not sent again: the customer is asked [SC-20]', async () => {
  const [anna, ben] = [await aCustomer(), await aCustomer({ dollars: 0 })];
  const inside = await allowance(anna, ben);
  const startDate = await dayFromNow(1);
  const rented = (await schedules(anna, { ...rent, description: '', startDate })).body.data._id;
  const [date] = [await moveBack(rented, 2), await moveBack(inside.id, 2)];
  await owner().query('SELECT hold_bank()');
  await owner().query('SELECT release_bank(false)');
  await logInAgain(parts().database, parts().tokens, [anna, ben]);
  const later = (await schedules(anna, { ...rent, description: '', startDate: await dayFromNow(0) })).body
    .data;
  await runAt(await newYork(await dayFromNow(0), '06:30'));
  expect(await balanceOf(ben)).toBe(10);
  // Ten dollars were sent inside the bank, and ten by the transfer that was scheduled after the restore.
  expect(await balanceOf(anna)).toBe(80);
  const listed = await listOf(anna);
  expect(listed.find(({ _id }) => _id === rented)).toMatchObject({ missed: [date], status: 'active' });
  expect(listed.find(({ _id }) => _id === later._id)).toMatchObject({ missed: [] });
});

test('the books have no faults after all scheduled transfers [SC-12]', async () => {
  const verdict = await verifyBooks(parts().database.reader);
  expect(verdict.faults).toEqual([]);
});
