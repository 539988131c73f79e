/** A customer's own limits and freeze, canceling payments, and the freeze link of mails: over HTTP, on a complete bank. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { adminCustomersApi } from '#contract/adminCustomers.ts';
import { authApi } from '#contract/auth.ts';
import { limitsApi } from '#contract/limits.ts';
import { notificationsApi } from '#contract/notifications.ts';
import { recordsApi } from '#contract/records.ts';
import { settingsApi } from '#contract/settings.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { transferApi } from '#contract/transfer.ts';
import { bankDays } from '../../../tests/bankDays.ts';
import { holdLocks } from '../../../tests/holdLocks.ts';
import { openPast } from '../../../tests/pastTransactions.ts';
import { readPdf } from '../../../tests/readPdf.ts';
import type { SeededCustomer } from '../../../tests/seedCustomers.ts';
import { eventually, openTestBank, type TestBank, type TestCustomer } from '../../../tests/server.ts';
import { stepUpProof } from '../../../tests/stepUp.ts';
import { deriveKey, hmac, toKey } from '../base/keys.ts';
import { idToBytes, newId } from '../base/uuid.ts';
import { type PaymentParts, submitPayment } from '../jobs/payments.ts';
import { verifyBooks } from '../ledger/verify.ts';
import { makeFreezeToken } from '../people/freezeLink.ts';

let bank: TestBank;
let ben: SeededCustomer;
beforeAll(async () => {
  bank = await openTestBank();
  ben = await bank.seeded({ firstName: 'Ben' });
});
afterAll(async () => {
  const { faults } = await verifyBooks(bank.test.database.reader);
  await bank.close();
  expect(faults).toEqual([]);
});

const parts = () => bank.bank.parts;
const owner = <Row extends object>(text: string, values: unknown[] = []) =>
  bank.test.database.ownerPool.query<Row>(text, values);

/** A customer with an email and $1,000. */
const aCustomer = () => bank.customer({ dollars: 1000 });
type Sender = Pick<TestCustomer, 'token'>;

const sends = ({ token }: Sender, amount: number, key?: string) =>
  bank.call(transferApi.sendInternal, {
    token,
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    body: { receiverAccountNumber: ben.accountNumber, amount, description: '' },
  });
const sendsOut = ({ token }: Sender, amount: number) =>
  bank.call(transferApi.sendExternal, {
    token,
    body: {
      bankName: 'First Harbor Bank',
      accountName: 'Ines Caldeira',
      accountNumber: '12345678',
      amount,
      description: '',
    },
  });
type Limits = { stepUpFrom: number | null; dailyOut: number | null };
const sets = ({ token }: Sender, body: Limits, proof?: string) =>
  bank.call(limitsApi.setLimits, {
    token,
    body,
    ...(proof !== undefined && { headers: { 'step-up': proof } }),
  });
const limitsOf = async ({ token }: Sender) => (await bank.call(limitsApi.limits, { token })).body.data;
const balanceOf = async ({ token }: Sender) =>
  (await bank.call(transactionsApi.balance, { token })).body.data.balance;
const cancels = ({ token }: Sender, id: string) =>
  bank.call(limitsApi.cancelTransaction, { token, params: { id } });
const detailOf = async ({ token }: Sender, id: string) =>
  (await bank.call(transactionsApi.transaction, { token, params: { id } })).body.data;
const mailsTo = ({ email }: Pick<TestCustomer, 'email'>, subject: string) =>
  parts()
    .inbox!.list(email)
    .filter(mail => mail.subject === subject);

/** Parts with a rail whose cut-off is always now, so that payments are submitted immediately. */
const dueNow = (): PaymentParts => ({
  database: parts().database,
  ledger: parts().ledger,
  rail: { ...parts().rail, cutOff: at => at },
});
const freezes = async ({ _id }: Pick<TestCustomer, '_id'>, isFrozen: boolean) =>
  bank.call(adminApi.freeze, {
    token: await bank.adminToken(),
    params: { id: _id },
    body: { isFrozen },
  });

test('a new customer has no limits; lowering one takes effect at once, raising or removing it needs a confirmation [BR-20]', async () => {
  const customer = await aCustomer();
  expect(await limitsOf(customer)).toEqual({ stepUpFrom: null, dailyOut: null, bankStepUpFrom: 25_000 });
  expect((await sets(customer, { stepUpFrom: 500, dailyOut: 300 })).body.data).toEqual({
    stepUpFrom: 500,
    dailyOut: 300,
  });
  expect((await sets(customer, { stepUpFrom: 400, dailyOut: 300 })).status).toBe(200);
  for (const raised of [
    { stepUpFrom: 400, dailyOut: 301 },
    { stepUpFrom: null, dailyOut: 300 },
    { stepUpFrom: 400, dailyOut: null },
  ])
    expect((await sets(customer, raised)).body.code).toBe('STEP_UP_REQUIRED');
  expect(await limitsOf(customer)).toEqual({ stepUpFrom: 400, dailyOut: 300, bankStepUpFrom: 25_000 });

  const asked = await sets(customer, { stepUpFrom: 400, dailyOut: 600 });
  const proof = await stepUpProof(bank, customer, asked.body.challenge!._id);
  expect((await sets(customer, { stepUpFrom: null, dailyOut: null }, proof)).body.code).toBe(
    'STEP_UP_REQUIRED',
  );
  expect((await sets(customer, { stepUpFrom: 400, dailyOut: 600 }, proof)).status).toBe(200);
  expect(await limitsOf(customer)).toEqual({ stepUpFrom: 400, dailyOut: 600, bankStepUpFrom: 25_000 });
});

test.each([
  [null, 'None (the bank’s $25,000.00 applies)'],
  [50_000, '$50,000.00 (the bank’s $25,000.00 applies)'],
  [1000, '$1,000.00'],
])(
  'the mail that confirms the limit %j says if the bank’s lower threshold applies, and the audit log has only the customer’s limit [BR-20]',
  async (stepUpFrom, described) => {
    const customer = await aCustomer();
    await sets(customer, { stepUpFrom: 500, dailyOut: 300 });
    const asked = await sets(customer, { stepUpFrom, dailyOut: null });
    const proof = await stepUpProof(bank, customer, asked.body.challenge!._id);
    const [mail] = mailsTo(customer, 'Your code to confirm');
    expect(mail!.text.replaceAll('\u200b', '')).toContain(
      `New limits: Daily limit: None; Confirm transfers from: ${described}`,
    );
    expect((await sets(customer, { stepUpFrom, dailyOut: null }, proof)).status).toBe(200);
    const { rows } = await owner<{ reason: string }>(
      `SELECT data->>'reason' AS reason FROM audit_log WHERE action = 'limits.changed' AND subject = $1 ORDER BY id`,
      [customer._id],
    );
    const limits = described.split(' (')[0];
    expect(rows.map(({ reason }) => reason)).toEqual([
      'Daily limit: $300.00; Confirm transfers from: $500.00',
      `Daily limit: None; Confirm transfers from: ${limits}`,
    ]);
    const raised = await eventually(() => mailsTo(customer, 'Your limits were raised')[0]);
    expect(raised.text).toContain(`Daily limit: None\nConfirm transfers from: ${limits}\n`);
  },
);

test('a transfer of at least the amount that the customer has set needs a confirmation [BR-20]', async () => {
  const customer = await aCustomer();
  await sets(customer, { stepUpFrom: 200, dailyOut: null });
  expect((await sends(customer, 199.99)).status).toBe(201);
  expect((await sends(customer, 200)).body.code).toBe('STEP_UP_REQUIRED');
});

test('no more than the daily limit leaves the account in a day, not counting payments that came back [BR-21]', async () => {
  const customer = await aCustomer();
  await sends(customer, 100);
  await sets(customer, { stepUpFrom: null, dailyOut: 300 });
  const out = await sendsOut(customer, 150);
  expect(out.status).toBe(201);
  const key = newId();
  const over = await sends(customer, 50.01, key);
  expect([over.status, over.body.code, over.body.message]).toEqual([
    422,
    'LIMIT_EXCEEDED',
    'This is more than your daily limit',
  ]);
  expect((await sends(customer, 50.01, key)).body.code).toBe('LIMIT_EXCEEDED');
  expect((await sends(customer, 50)).status).toBe(201);
  expect((await sends(customer, 0.01)).body.code).toBe('LIMIT_EXCEEDED');
  expect((await cancels(customer, out.body.data._id)).status).toBe(200);
  expect((await sends(customer, 150)).status).toBe(201);
  expect((await sends(customer, 0.01)).body.code).toBe('LIMIT_EXCEEDED');
});

test('the daily limit does not count money that left before midnight in New York, and counts money that left from midnight on [BR-21]', async () => {
  const { database } = bank.test;
  const admins = await owner<{ id: string }>('SELECT id FROM admins');
  const past = openPast(database, admins.rows[0]!.id);
  const { dayFromNow, newYork } = bankDays(() => database.ownerPool);
  const [yesterday, today] = [await dayFromNow(-1), await dayFromNow(0)];
  const sentAt = async (day: string, time: string, cents: bigint) =>
    past.send(customer, ben, { at: (await newYork(day, time)).toISOString(), cents });
  const customer = await bank.seeded();
  await past.credit(customer, { at: (await newYork(yesterday, '00:00')).toISOString(), cents: 100_000n });
  await sentAt(yesterday, '23:59:59', 25_000n);
  await sentAt(today, '00:00', 5_000n);
  await sets(customer, { stepUpFrom: null, dailyOut: 300 });
  const { token } = customer;
  expect((await bank.call(limitsApi.dailyLimit, { token })).body.data).toEqual({
    dailyOut: 300,
    sentToday: 50,
    leftToday: 250,
  });
  expect((await sends(customer, 250.01)).body.code).toBe('LIMIT_EXCEEDED');
  expect((await sends(customer, 250)).status).toBe(201);
  expect((await sends(customer, 0.01)).body.code).toBe('LIMIT_EXCEEDED');
});

test('without a daily limit, the day’s payments are not added up to read the limits, to change the other limit, or before a new daily limit is confirmed [BR-22]', async () => {
  const [unlimited, limited] = [await aCustomer(), await aCustomer()];
  for (const customer of [unlimited, limited]) await sendsOut(customer, 10);
  await sets(limited, { stepUpFrom: 500, dailyOut: null });
  // Adding up the day's payments would wait for this lock and time out.
  await holdLocks(bank.test.database.ownerPool, 'LOCK TABLE external_transfers IN ACCESS EXCLUSIVE MODE');
  const { body } = await bank.call(limitsApi.dailyLimit, { token: unlimited.token });
  expect(body.data).toEqual({ dailyOut: null, sentToday: null, leftToday: null });
  expect((await sets(limited, { stepUpFrom: 600, dailyOut: 300 })).body.code).toBe('STEP_UP_REQUIRED');
  expect((await sets(limited, { stepUpFrom: 400, dailyOut: null })).status).toBe(200);
});

test('forty transfers at the same time stay within the daily limit [BR-21]', async () => {
  const customer = await aCustomer();
  await sets(customer, { stepUpFrom: null, dailyOut: 70 });
  const answers = await Promise.all(Array.from({ length: 40 }, () => sends(customer, 10)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(7);
  expect(answers.filter(({ body }) => body.code === 'LIMIT_EXCEEDED')).toHaveLength(33);
  expect(await balanceOf(customer)).toBe(930);
  const { token } = customer;
  const figures = async () => (await bank.call(limitsApi.dailyLimit, { token })).body.data;
  expect(await figures()).toEqual({ dailyOut: 70, sentToday: 70, leftToday: 0 });
  await sets(customer, { stepUpFrom: null, dailyOut: 60 });
  expect(await figures()).toEqual({ dailyOut: 60, sentToday: 70, leftToday: 0 });
});

test('a customer freezes the account at once, and lifts the freeze with a confirmation [BR-30]', async () => {
  const customer = await aCustomer();
  const { token } = customer;
  expect((await bank.call(limitsApi.freezeOwn, { token })).body.data).toEqual({ byYou: true, byBank: false });
  expect((await sends(customer, 1)).body.code).toBe('ACCOUNT_FROZEN');
  expect((await bank.call(authApi.profile, { token })).body.data.isFrozen).toBe(true);
  const asked = await bank.call(limitsApi.unfreezeOwn, { token });
  expect(asked.body.code).toBe('STEP_UP_REQUIRED');
  expect((await sends(customer, 1)).body.code).toBe('ACCOUNT_FROZEN');
  const proof = await stepUpProof(bank, customer, asked.body.challenge!._id);
  // A thief's session freezes once more.
  await bank.call(limitsApi.freezeOwn, { token });
  const lifted = await bank.call(limitsApi.unfreezeOwn, { token, headers: { 'step-up': proof } });
  expect(lifted.body.data).toEqual({ byYou: false, byBank: false });
  expect((await sends(customer, 1)).status).toBe(201);
  await eventually(() => mailsTo(customer, 'You froze your account')[0]);
  const kinds = (await bank.call(notificationsApi.listNotifications, { token })).body.data.notifications.map(
    ({ kind }) => kind,
  );
  expect(kinds).toEqual(expect.arrayContaining(['own-frozen', 'unfrozen']));
});

test('a customer cannot lift a freeze by the bank; the bank can lift both kinds and sees whose freeze it is [BR-31]', async () => {
  const customer = await aCustomer();
  const { token, _id: id } = customer;
  await bank.call(limitsApi.freezeOwn, { token });
  const seen = await bank.call(adminApi.user, { token: await bank.adminToken(), params: { id } });
  expect(seen.body.data).toMatchObject({ isFrozen: true, isFrozenByCustomer: true });
  expect(seen.body.data).not.toHaveProperty('isFrozenByStaff');
  const listed = await bank.call(adminCustomersApi.customers, {
    token: await bank.adminToken(),
    query: { search: customer.accountNumber },
  });
  expect(listed.body.data.customers).toMatchObject([{ isFrozen: true, isFrozenByCustomer: true }]);
  const application = async () =>
    (await bank.call(adminApi.application, { token: await bank.adminToken(), params: { id } })).body.data;
  expect(await application()).toMatchObject({ isFrozen: true, isFrozenByCustomer: true });
  await freezes(customer, true);
  expect(await application()).toMatchObject({ isFrozenByCustomer: true, isFrozenByStaff: true });
  const both = await bank.call(adminApi.user, { token: await bank.adminToken(), params: { id } });
  expect(both.body.data).toMatchObject({ isFrozenByCustomer: true, isFrozenByStaff: true });
  const refused = await bank.call(limitsApi.unfreezeOwn, { token });
  expect([refused.status, refused.body.code]).toEqual([403, 'ACCOUNT_FROZEN']);
  expect((await bank.call(limitsApi.freezeState, { token })).body.data).toEqual({
    byYou: true,
    byBank: true,
  });
  await freezes(customer, false);
  expect((await bank.call(limitsApi.freezeState, { token })).body.data).toEqual({
    byYou: false,
    byBank: false,
  });
  const after = await bank.call(adminApi.user, { token: await bank.adminToken(), params: { id } });
  expect(after.body.data).not.toHaveProperty('isFrozenByCustomer');
});

test('a payment can be canceled until the cut-off; a canceled payment shows as failed and Cancelled, and the money is back [BR-40]', async () => {
  const customer = await aCustomer();
  const { _id: id } = (await sendsOut(customer, 400)).body.data;
  const { cancelUntil, timestamp } = await detailOf(customer, id);
  expect(cancelUntil).toBe(parts().rail.cutOff(new Date(timestamp)).toISOString());
  expect((await cancels(customer, id)).status).toBe(200);
  expect(await balanceOf(customer)).toBe(1000);
  const detail = await detailOf(customer, id);
  expect(detail).toMatchObject({ status: 'failed', returnReason: 'Cancelled' });
  expect(detail).not.toHaveProperty('cancelUntil');
  const list = await bank.call(transactionsApi.listTransactions, { token: customer.token });
  expect(list.body.data.transactions[0]).toMatchObject({ status: 'failed', returnReason: 'Cancelled' });
  expect(detail.timeline.map(({ step }) => step)).toEqual(['posted', 'returned']);
  const again = await cancels(customer, id);
  expect([again.status, again.body.message]).toEqual([
    409,
    'The money from this payment is already back in your account.',
  ]);
  await submitPayment(dueNow(), { transactionId: id });
  expect((await detailOf(customer, id)).status).toBe('failed');
});

test('a payment that was submitted to the rail cannot be canceled, nor can a transfer inside the bank [BR-40]', async () => {
  const customer = await aCustomer();
  const { _id: id } = (await sendsOut(customer, 400)).body.data;
  await submitPayment(dueNow(), { transactionId: id });
  const refused = await cancels(customer, id);
  expect([refused.status, refused.body.code, refused.body.message]).toEqual([
    409,
    'CONFLICT',
    'This payment has already been sent to the other bank. It can’t be canceled.',
  ]);
  expect(await detailOf(customer, id)).not.toHaveProperty('cancelUntil');
  expect(await balanceOf(customer)).toBe(600);
  const inside = (await sends(customer, 1)).body.data;
  for (const party of [customer, ben]) {
    const { status, body } = await cancels(party, inside._id);
    expect([status, body.message]).toEqual([
      409,
      'You can only cancel a payment that you sent to another bank.',
    ]);
  }
});

test('a payment whose money no longer fits into the sender’s balance stays pending when it is canceled or returned, and the answer says why [BR-40]', async () => {
  const customer = await aCustomer();
  const { _id: id } = (await sendsOut(customer, 400)).body.data;
  const setBalance = (cents: bigint) =>
    owner(
      'UPDATE ledger_accounts SET balance = $1 WHERE id = (SELECT account_id FROM customers WHERE id = $2)',
      [cents, customer._id],
    );
  await setBalance(2n ** 46n * 100n - 39_999n);
  const refused = await cancels(customer, id);
  await freezes(customer, true);
  const held = await bank.call(limitsApi.returnHeldPayment, {
    token: await bank.adminToken(),
    params: { id },
  });
  for (const { status, body } of [refused, held])
    expect([status, body.code, body.message]).toEqual([
      409,
      'CONFLICT',
      'The sender’s account can’t hold this much money. No money moved.',
    ]);
  await setBalance(60_000n);
  expect((await cancels(customer, id)).status).toBe(200);
  expect(await balanceOf(customer)).toBe(1000);
});

test('another customer’s payment is not found [BR-40]', async () => {
  const [customer, other] = [await aCustomer(), await aCustomer()];
  const { _id: id } = (await sendsOut(customer, 400)).body.data;
  expect((await cancels(other, id)).status).toBe(404);
});

test('of a cancellation and a submission at the same time, exactly one wins [BR-41]', async () => {
  const customer = await aCustomer();
  const wins = { canceled: 0, submitted: 0 };
  for (let n = 0; n < 20; n++) {
    const { _id: id } = (await sendsOut(customer, 10)).body.data;
    let wasSubmitted = false;
    const rail: PaymentParts['rail'] = {
      ...dueNow().rail,
      knownAt(payment) {
        wasSubmitted = true;
        return parts().rail.knownAt(payment);
      },
    };
    const [answer] = await Promise.all([
      cancels(customer, id),
      submitPayment({ ...dueNow(), rail }, { transactionId: id }),
      n % 2 ? cancels(customer, id) : submitPayment({ ...dueNow(), rail }, { transactionId: id }),
    ]);
    const { status } = await detailOf(customer, id);
    expect(wasSubmitted).toBe(status === 'pending');
    if (wasSubmitted) expect(answer.status).toBe(409);
    wins[wasSubmitted ? 'submitted' : 'canceled']++;
  }
  expect(await balanceOf(customer)).toBe(1000 - 10 * wins.submitted);
});

test('a freeze holds a payment, an unfreeze releases it to the next cut-off, and staff can list and return a held payment [BR-42, RX-24, SD-13]', async () => {
  const customer = await aCustomer();
  const [held, back] = [(await sendsOut(customer, 100)).body.data, (await sendsOut(customer, 200)).body.data];
  await freezes(customer, true);
  await submitPayment(dueNow(), { transactionId: held._id });
  const jobs = await owner<{ task: string; wait: number }>(
    `SELECT task_identifier AS task, extract(epoch FROM run_at - now())::float8 AS wait
       FROM graphile_worker.jobs WHERE key LIKE '%' || $1`,
    [held._id],
  );
  expect(jobs.rows).toEqual([{ task: 'submit-payment', wait: expect.any(Number) }]);
  expect(jobs.rows[0]!.wait).toBeGreaterThan(0);
  const submittedAt = async (id: string) =>
    (
      await owner<{ at: Date | null }>(
        'SELECT submitted_at AS at FROM external_transfers WHERE transaction_id = $1',
        [id],
      )
    ).rows[0]!.at;
  expect(await submittedAt(held._id)).toBeNull();

  const token = await bank.adminToken();
  const seen = await bank.call(adminApi.adminTransaction, { token, params: { id: back._id } });
  expect(seen.body.data.isHeld).toBe(true);
  expect((await detailOf(customer, held._id)).isHeld).toBe(true);
  const own = await bank.call(transactionsApi.listTransactions, { token: customer.token });
  expect(own.body.data.transactions.find(({ _id }) => _id === held._id)?.isHeld).toBe(true);
  const receipt = await fetch(`${bank.url}${recordsApi.receipt.path.replace('{id}', held._id)}`, {
    headers: { authorization: `Bearer ${customer.token}` },
  });
  expect(readPdf(Buffer.from(await receipt.arrayBuffer())).texts).toContain(
    'We have not sent this payment to the other bank yet.',
  );
  const saved = await fetch(`${bank.url}${adminCustomersApi.exportAllTransactions.path}?status=held`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await saved.text()).toContain(',external-transfer,held,');
  const listed = async (query: object) => {
    const list = await bank.call(adminApi.adminTransactions, { token, query: { status: 'held', ...query } });
    return list.body.data.transactions.map(({ _id }) => _id);
  };
  expect((await listed({})).slice(0, 2)).toEqual([back._id, held._id]);
  const { transactions } = (
    await bank.call(adminApi.adminTransactions, { token, query: { search: held.reference } })
  ).body.data;
  expect(transactions.map(({ isHeld }) => isHeld)).toEqual([true]);
  expect(await listed({ page: 2, limit: 1 })).toEqual([held._id]);
  expect(await listed({ search: customer.accountNumber })).toEqual([back._id, held._id]);
  expect(await listed({ search: held.reference })).toEqual([held._id]);
  expect(await listed({ type: 'transfer' })).toEqual([]);
  const file = await fetch(`${bank.url}${adminCustomersApi.exportAllTransactions.path}?status=held`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const lines = (await file.text()).trim().split('\n');
  expect(lines.slice(-2).map(line => [held, back].find(({ reference }) => line.includes(reference)))).toEqual(
    [held, back],
  );
  const returned = () => bank.call(limitsApi.returnHeldPayment, { token, params: { id: back._id } });
  expect((await returned()).status).toBe(200);
  expect((await returned()).status).toBe(409);
  expect(await detailOf(customer, back._id)).toMatchObject({
    status: 'failed',
    returnReason: 'Returned by Larkspur Bank',
  });

  await freezes(customer, false);
  const free = await bank.call(limitsApi.returnHeldPayment, { token, params: { id: held._id } });
  expect(free.status).toBe(409);
  await submitPayment(dueNow(), { transactionId: held._id });
  expect(await submittedAt(held._id)).toBeInstanceOf(Date);
  expect(await balanceOf(customer)).toBe(900);
});

const ownerOf = ({ _id: customerId, email }: TestCustomer) => ({ customerId, email });

test('the link in a security mail freezes the account and ends every session; each time it is audited; it works only once, and only if it is unaltered [BR-50]', async () => {
  const customer = await aCustomer();
  const { codeKey } = parts().secrets;
  const press = (token: string) => bank.call(limitsApi.freezeByLink, { body: { token } });
  const token = makeFreezeToken(ownerOf(customer), codeKey);
  expect((await press(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)).status).toBe(404);
  expect((await press(makeFreezeToken(ownerOf(customer), toKey(new Uint8Array(32))))).status).toBe(404);
  expect((await sends(customer, 1)).status).toBe(201);
  expect((await press(token)).status).toBe(200);
  expect((await sends(customer, 1)).status).toBe(401);
  const again = { token: await bank.login(customer.email) };
  expect((await sends(again, 1)).body.code).toBe('ACCOUNT_FROZEN');
  const { transactions } = (await bank.call(transactionsApi.listTransactions, again)).body.data;
  expect(transactions).toHaveLength(2);
  // The account is already frozen, and the sessions end again.
  expect((await press(makeFreezeToken(ownerOf(customer), codeKey))).status).toBe(200);
  expect((await sends(again, 1)).status).toBe(401);
  const { rows } = await bank.test.database.ownerPool.query(
    `SELECT action, data FROM audit_log WHERE subject = $1 AND action ~ 'freeze' ORDER BY id`,
    [customer._id],
  );
  expect(rows).toEqual([
    { action: 'own-freeze.set', data: null },
    { action: 'freeze-link.used', data: { count: 1 } },
    { action: 'freeze-link.used', data: { count: 1 } },
  ]);
});

test('an applicant who froze the account with the link in a mail lifts the freeze without waiting for the approval [AC-07, BR-30]', async () => {
  const applicant = await bank.customer({ approved: false });
  const token = makeFreezeToken(ownerOf(applicant), parts().secrets.codeKey);
  expect((await bank.call(limitsApi.freezeByLink, { body: { token } })).status).toBe(200);
  const again = { ...applicant, token: await bank.login(applicant.email) };
  const { challenge } = (await bank.call(limitsApi.unfreezeOwn, again)).body;
  const proof = await stepUpProof(bank, again, challenge!._id);
  const lifted = await bank.call(limitsApi.unfreezeOwn, { ...again, headers: { 'step-up': proof } });
  expect(lifted.body.data).toEqual({ byYou: false, byBank: false });
  await eventually(() => mailsTo(applicant, 'Your account is no longer frozen')[0]);
});

test('pressing the link again changes nothing and says whether the account is still frozen, so a used link cannot log the customer out [BR-50]', async () => {
  const customer = await aCustomer();
  const token = makeFreezeToken(ownerOf(customer), parts().secrets.codeKey);
  const press = async () => {
    const { status, body } = await bank.call(limitsApi.freezeByLink, { body: { token } });
    return [status, body.message];
  };
  expect(await press()).toEqual([200, 'Your account is frozen, and you are logged out everywhere.']);
  const again = { ...customer, token: await bank.login(customer.email) };
  expect((await sends(again, 1)).body.code).toBe('ACCOUNT_FROZEN');
  expect(await press()).toEqual([
    404,
    'You already used this link, and your account is still frozen. Setting a new password logs out all devices.',
  ]);
  const { challenge } = (await bank.call(limitsApi.unfreezeOwn, again)).body;
  const proof = await stepUpProof(bank, again, challenge!._id);
  await bank.call(limitsApi.unfreezeOwn, { ...again, headers: { 'step-up': proof } });
  expect(await press()).toEqual([
    404,
    'You have already used this link, and your account has been unfrozen since then. To freeze your account, log in or call us: (212) 555-0142.',
  ]);
  expect((await sends(again, 1)).status).toBe(201);
});

test('the link of a mail that is 29 days old freezes the account; one that is 31 days old changes nothing and says why [BR-50]', async () => {
  const customer = await aCustomer();
  const { codeKey } = parts().secrets;
  const linkOf = (days: number) => {
    const ids = Buffer.from(makeFreezeToken(ownerOf(customer), codeKey), 'base64url').subarray(0, 32);
    // The id of a link begins with the time at which the link was made.
    ids.writeUIntBE(Date.now() - days * 86_400_000, 16, 6);
    const signature = hmac(deriveKey(codeKey, 'links that freeze an account'), ids).subarray(0, 16);
    return Buffer.concat([ids, signature]).toString('base64url');
  };
  const press = (token: string) => bank.call(limitsApi.freezeByLink, { body: { token } });
  const late = await press(linkOf(31));
  expect([late.status, late.body.message]).toEqual([
    404,
    'This link is incomplete or has expired, or the account is closed. To freeze your account, log in or call us: (212) 555-0142.',
  ]);
  expect((await sends(customer, 1)).status).toBe(201);
  expect((await press(linkOf(29))).status).toBe(200);
  expect((await sends(customer, 1)).status).toBe(401);
  const again = { token: await bank.login(customer.email) };
  expect((await sends(again, 1)).body.code).toBe('ACCOUNT_FROZEN');
});

test('a link that a server of 1.0.0 mailed, which does not say to whom, freezes the account [BR-50]', async () => {
  const customer = await aCustomer();
  const { codeKey } = parts().secrets;
  const ids = Buffer.concat([customer._id, newId()].map(idToBytes));
  const signature = hmac(deriveKey(codeKey, 'links that freeze an account'), ids).subarray(0, 16);
  const token = Buffer.concat([ids, signature]).toString('base64url');
  expect((await bank.call(limitsApi.freezeByLink, { body: { token } })).status).toBe(200);
});

test('the mail about a password change has a link that freezes the account [BR-50]', async () => {
  const customer = await aCustomer();
  await bank.call(settingsApi.changePassword, {
    token: customer.token,
    body: { currentPassword: '80412975', newPassword: '57921480' },
  });
  const mail = await eventually(() => mailsTo(customer, 'Your password was changed')[0]);
  const token = /freeze-account#([\w-]+)/.exec(mail!.text)![1]!;
  expect((await bank.call(limitsApi.freezeByLink, { body: { token } })).status).toBe(200);
  expect((await sends(customer, 1)).status).toBe(401);
});
