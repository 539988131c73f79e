/** External transfers from the request to the other bank's answer, in a whole bank whose days last fifty milliseconds. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { notificationsApi } from '#contract/notifications.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { transferApi } from '#contract/transfer.ts';
import { enrol, type Member } from '../../../tests/crowd.ts';
import { openTestBank, type TestBank } from '../../../tests/server.ts';
import { newId } from '../base/uuid.ts';
import { closeAccount } from '../ledger/closing.ts';
import { openLedger } from '../ledger/ledger.ts';
import { verifyBooks } from '../ledger/verify.ts';
import type { PaymentOutcome } from '../outside/rail.ts';
import { decidePayment, type PaymentParts, submitPayment } from './payments.ts';
import { startJobs } from './worker.ts';

const tick = { timeout: 20_000, interval: 20 };
const unknownAccount = 'The other bank does not know this account';

let bank: TestBank;
let anna: Member;
beforeAll(async () => {
  bank = await openTestBank({ RAIL_DAY_SECONDS: '0.05', JOBS: 'off' });
});
beforeEach(async () => {
  anna = await aCustomer(100n);
});
afterAll(async () => {
  const { faults } = await verifyBooks(bank.test.database.reader);
  await bank.close();
  expect(faults).toEqual([]);
});

const parts = () => bank.bank.parts;
const owner = <Row extends object>(text: string, values: unknown[] = []) =>
  bank.test.database.ownerPool.query<Row>(text, values);

async function aCustomer(dollars: bigint): Promise<Member> {
  const member = await enrol(parts().database, parts().tokens);
  const { customerId: adminId, accountNumber } = member;
  const credit = {
    adminId,
    sessionId: null,
    accountNumber,
    amountCents: dollars * 100n,
    description: '',
    address: '::1',
  };
  await parts().ledger.credit(credit);
  return member;
}

/** Sends dollars to another bank and returns the transaction's id. */
async function sendExternal(
  { token }: Member,
  amount: number,
  accountNumber = '40218836117',
): Promise<string> {
  const body = {
    bankName: 'First Harbour',
    accountName: 'Ines Caldeira',
    accountNumber,
    amount,
    description: 'rent',
  };
  const answer = await bank.call(transferApi.sendExternal, { token, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data._id;
}

const detail = async ({ token }: Member, id: string) =>
  (await bank.call(transactionsApi.transaction, { token, params: { id } })).body.data;
const figures = async ({ token }: Member) => ({
  balance: (await bank.call(transactionsApi.balance, { token })).body.data.balance,
  ...(await bank.call(transactionsApi.listTransactions, { token })).body.data.stats,
});
const notificationsOf = async ({ token }: Member) =>
  (await bank.call(notificationsApi.listNotifications, { token })).body.data.notifications.map(
    ({ kind, text, transactionId }) => ({ kind, text, transactionId }),
  );
const mailsTo = async ({ customerId }: Member) => {
  const found = await owner<{ email: string }>('SELECT email FROM customers WHERE id = $1', [customerId]);
  return parts().inbox!.list(found.rows[0]!.email);
};
const paymentJobs = async (id: string) =>
  (
    await owner<{ task: string; run_at: Date; attempts: number; max_attempts: number }>(
      `SELECT task_identifier AS task, run_at, attempts, max_attempts FROM graphile_worker.jobs
        WHERE key LIKE '%' || $1`,
      [id],
    )
  ).rows;

/** Runs `work` while two processes run the bank's jobs. */
async function withJobs(work: () => Promise<void>): Promise<void> {
  const running = await Promise.all([startJobs(parts()), startJobs(parts())]);
  try {
    await work();
  } finally {
    await Promise.all(running.map(jobs => jobs.stop()));
  }
}

/** Parts for calling the tasks directly, with a fake rail that returns the given answers. */
function partsWith(answers: { knownAt?: Date; outcome?: PaymentOutcome } = {}): PaymentParts {
  const { knownAt = new Date(), outcome = { status: 'settled' } } = answers;
  const rail = { submit: async () => ({ knownAt, expectedAt: knownAt }), ask: async () => outcome };
  return { database: parts().database, ledger: parts().ledger, rail };
}

/** Sends an external transfer and deletes its job. */
async function sendWithoutJob(from: Member, cents = 100n, accountNumber = '40218836117'): Promise<string> {
  const { _id } = await parts().ledger.sendExternal({
    customerId: from.customerId,
    sessionId: null,
    bank: { bankName: 'First Harbour', accountName: 'Ines Caldeira', accountNumber },
    amountCents: cents,
    description: '',
    address: '::1',
  });
  await deletePaymentJobs(_id);
  return _id;
}

const deletePaymentJobs = (id: string) =>
  owner(`DELETE FROM graphile_worker._private_jobs WHERE key LIKE '%' || $1`, [id]);

test('a transfer to another bank arrives after some business days, and its sender is notified [M-09, M-11, N-03]', () =>
  withJobs(async () => {
    const id = await sendExternal(anna, 25.5);
    expect(await figures(anna)).toMatchObject({ balance: 74.5, totalSent: 25.5 });
    await vi.waitFor(async () => expect((await detail(anna, id)).status).toBe('completed'), tick);
    const { balanceAfter, timeline, ...rest } = await detail(anna, id);
    expect(balanceAfter).toBe(74.5);
    expect(timeline.map(({ step }) => step)).toEqual(['posted', 'settled']);
    const days = (Date.parse(timeline[1]!.at) - Date.parse(timeline[0]!.at)) / 50;
    expect(days).toBeGreaterThanOrEqual(2.9);
    expect(rest).not.toHaveProperty('expectedBy');
    expect(rest).not.toHaveProperty('returnReason');
    expect(await figures(anna)).toEqual({
      balance: 74.5,
      totalSent: 25.5,
      totalReceived: 100,
      totalTransactions: 2,
    });
    expect((await notificationsOf(anna))[0]).toEqual({
      kind: 'external-settled',
      text: '$25.50 to Ines Caldeira has arrived',
      transactionId: id,
    });
    await vi.waitFor(async () => expect(await mailsTo(anna)).toHaveLength(3), tick);
    const mail = (await mailsTo(anna)).find(({ subject }) => subject === 'External Transfer Arrived');
    expect(mail!.text).toContain('$25.50 to Ines Caldeira has arrived.\n');
    expect(mail!.text).toContain('To: Ines Caldeira, First Harbour');
    expect(mail!.text).not.toContain('3-7 business days');
  }));

test('a transfer that the other bank rejects is returned in full, with the reason [M-12, M-13, X-18, N-03]', () =>
  withJobs(async () => {
    const id = await sendExternal(anna, 40, '73120840000');
    await vi.waitFor(async () => expect((await detail(anna, id)).status).toBe('failed'), tick);
    const { timeline, returnReason } = await detail(anna, id);
    expect(timeline.map(({ step }) => step)).toEqual(['posted', 'returned']);
    expect(returnReason).toBe(unknownAccount);
    expect(await figures(anna)).toEqual({
      balance: 100,
      totalSent: 0,
      totalReceived: 100,
      totalTransactions: 2,
    });
    expect((await notificationsOf(anna)).slice(0, 2)).toEqual([
      {
        kind: 'external-returned',
        text: '$40.00 to Ines Caldeira came back. It is in your balance again.',
        transactionId: id,
      },
      { kind: 'money-sent', text: '$40.00 to Ines Caldeira', transactionId: id },
    ]);
    await vi.waitFor(async () => expect(await mailsTo(anna)).toHaveLength(3), tick);
    const mail = (await mailsTo(anna)).find(({ subject }) => subject === 'External Transfer Returned');
    expect(mail!.text).toContain('$40.00 to Ines Caldeira came back. It is in your balance again.\n');
    expect(mail!.text).toContain(`Reason: ${unknownAccount}`);
  }));

test('a returned transfer is credited to a frozen customer', async () => {
  const id = await sendWithoutJob(anna, 700n);
  await owner('UPDATE ledger_accounts SET is_frozen = true WHERE id = $1', [anna.accountId]);
  await decidePayment(partsWith({ outcome: { status: 'returned', reason: 'x' } }), { transactionId: id });
  expect(await figures(anna)).toMatchObject({ balance: 100, totalSent: 0 });
});

test('a transfer returned to a closed account goes to the unclaimed balances, without a notification [AC-24]', async () => {
  const unclaimed = async () =>
    (await owner<{ balance: bigint }>('SELECT balance FROM ledger_accounts WHERE id = 3')).rows[0]!.balance;
  const id = await sendWithoutJob(anna, 700n);
  await parts().database.inTransaction(tx =>
    closeAccount(tx, { accountId: anna.accountId, by: 'admin', actor: newId(), address: '::1' }),
  );
  const before = await unclaimed();
  await decidePayment(partsWith({ outcome: { status: 'returned', reason: 'x' } }), { transactionId: id });
  expect((await unclaimed()) - before).toBe(700n);
  const notified = await owner<{ kind: string }>('SELECT kind FROM notifications WHERE transaction_id = $1', [
    id,
  ]);
  expect(notified.rows).toEqual([{ kind: 'money-sent' }]);
  expect(
    (await owner('SELECT FROM transfer_mails WHERE step = 2 AND $1 = ANY (transaction_ids)', [id])).rows,
  ).toEqual([]);
});

test('twenty concurrent, contradictory answers from two processes end a transfer once', async () => {
  const second = openLedger(bank.test.database, bank.test.connection);
  const ids = await Promise.all(Array.from({ length: 5 }, () => sendWithoutJob(anna, 100n)));
  for (const id of ids) {
    const ended = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 ? second : parts().ledger).endExternal(
          id,
          i % 4 < 2 ? { isSettled: true } : { isSettled: false, reason: 'x' },
        ),
      ),
    );
    expect(ended.filter(Boolean)).toHaveLength(1);
    expect((await detail(anna, id)).timeline).toHaveLength(2);
    expect((await notificationsOf(anna)).filter(({ transactionId }) => transactionId === id)).toHaveLength(2);
  }
  await second.close();
  const returned = (await Promise.all(ids.map(id => detail(anna, id)))).filter(
    ({ status }) => status === 'failed',
  );
  expect((await figures(anna)).balance).toBe(95 + returned.length);
  expect(await parts().ledger.endExternal(newId(), { isSettled: true }), 'an unknown transfer').toBe(false);
});

test('a pending transfer shows the expected day, and the rail is queried then, or later if it says so', async () => {
  const id = await sendWithoutJob(anna);
  const knownAt = new Date(Date.now() + 3_600_000);
  await submitPayment(partsWith({ knownAt }), { transactionId: id });
  const expectedBy = knownAt.toLocaleDateString('sv-SE', { timeZone: 'America/New_York' });
  expect(await detail(anna, id)).toMatchObject({ status: 'pending', expectedBy });
  const later = new Date(knownAt.getTime() + 60_000);
  for (const [at, work] of [
    [knownAt, () => submitPayment(partsWith({ knownAt }), { transactionId: id })],
    [
      later,
      () =>
        decidePayment(partsWith({ outcome: { status: 'pending', askAgainAt: later } }), {
          transactionId: id,
        }),
    ],
  ] as const) {
    await work();
    // Retried forever, and never more than one job.
    expect(await paymentJobs(id)).toEqual([
      { task: 'decide-payment', run_at: at, attempts: 0, max_attempts: 32_767 },
    ]);
  }
  await decidePayment(partsWith(), { transactionId: id });
  expect((await detail(anna, id)).status).toBe('completed');
  // Interrupted jobs run again and find the work done.
  await deletePaymentJobs(id);
  await submitPayment(partsWith(), { transactionId: id });
  await decidePayment(partsWith({ outcome: { status: 'returned', reason: 'x' } }), { transactionId: id });
  expect(await paymentJobs(id)).toEqual([]);
  expect((await detail(anna, id)).status).toBe('completed');
});

test('a task fails while the rail is down, and a posting that fails enqueues no job', async () => {
  const id = await sendWithoutJob(anna);
  const away = {
    submit: () => Promise.reject(new Error('away')),
    ask: () => Promise.reject(new Error('away')),
  };
  for (const task of [submitPayment, decidePayment])
    await expect(task({ ...partsWith(), rail: away }, { transactionId: id })).rejects.toThrow('away');
  expect((await detail(anna, id)).status).toBe('pending');
  const before = await owner('SELECT FROM graphile_worker.jobs');
  await expect(sendWithoutJob(anna, 99_999_999n)).rejects.toThrow('Insufficient balance');
  expect((await owner('SELECT FROM graphile_worker.jobs')).rowCount).toBe(before.rowCount);
});

test('the server’s database role can change only the expected day of an external transfer', async () => {
  const id = await sendWithoutJob(anna);
  for (const change of ["status = 'completed'", 'decided_at = now()', "account_number = '1234'"])
    await expect(
      sql`UPDATE external_transfers SET ${sql.raw(change)} WHERE transaction_id = ${id}`.execute(
        bank.test.database.reader,
      ),
    ).rejects.toThrow(/permission denied/);
});
