/**
 * External transfers from the customer's request to the other bank's answer, in a whole bank whose business days take 50
 * milliseconds.
 */
import { Kysely, PostgresDialect, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { notificationsApi } from '#contract/notifications.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { transferApi } from '#contract/transfer.ts';
import { closeForGood } from '../../../tests/closeForGood.ts';
import { endExternal } from '../../../tests/endExternal.ts';
import type { SeededCustomer } from '../../../tests/seedCustomers.ts';
import { openTestBank, type TestBank } from '../../../tests/server.ts';
import { retryWhileBusy, waitOptions } from '../../../tests/waiting.ts';
import { newId } from '../base/uuid.ts';
import { setFrozen } from '../ledger/accounts.ts';
import { openLedger } from '../ledger/ledger.ts';
import { verifyBooks } from '../ledger/verify.ts';
import { decidePayment, type PaymentParts, resumePayments, submitPayment } from './payments.ts';
import { sendRailFiles } from './railOutgoing.ts';
import { startJobs } from './worker.ts';

const unknownAccount = 'The other bank doesn’t know this account';

let bank: TestBank;
let anna: SeededCustomer;
beforeAll(async () => {
  bank = await openTestBank({ RAIL_DAY_SECONDS: '0.05', JOBS: 'off' });
});
beforeEach(async () => {
  anna = await person(100n);
});
afterAll(async () => {
  // Earlier tests delete jobs, and `verifyBooks` reports pending transfers without a job.
  await resumePayments(parts());
  const { faults } = await verifyBooks(bank.test.database.reader);
  await bank.close();
  expect(faults).toEqual([]);
});

const parts = () => bank.bank.parts;
const owner = <Row extends object>(text: string, values: unknown[] = []) =>
  bank.test.database.ownerPool.query<Row>(text, values);

const person = (dollars: bigint) => bank.seeded({ cents: dollars * 100n });

/** Sends dollars to another bank; returns the transaction's id. */
async function sendOut(
  { token }: SeededCustomer,
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

const detail = async ({ token }: SeededCustomer, id: string) =>
  (await bank.call(transactionsApi.transaction, { token, params: { id } })).body.data;
const figures = async ({ token }: SeededCustomer) => ({
  balance: (await bank.call(transactionsApi.balance, { token })).body.data.balance,
  ...(await bank.call(transactionsApi.listTransactions, { token })).body.data.stats,
});
const notificationsOf = async ({ token }: SeededCustomer) =>
  (await bank.call(notificationsApi.listNotifications, { token })).body.data.notifications.map(
    ({ kind, text, transactionId }) => ({ kind, text, transactionId }),
  );
const mailsTo = async ({ customerId }: SeededCustomer) => {
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

/** Calls `work` while two job runners process the bank's jobs. */
async function withJobs(work: () => Promise<void>): Promise<void> {
  const running = await Promise.all([startJobs(parts()), startJobs(parts())]);
  try {
    await work();
  } finally {
    await Promise.all(running.map(jobs => jobs.stop()));
  }
}

/** The outcome of a payment, or when to ask again. */
type PaymentOutcome =
  | { status: 'pending'; askAgainAt: Date }
  | { status: 'settled' }
  | { status: 'returned'; reason: string };

/** Parts to process payments without the queue. The rail's answer ends each payment with `fate`. */
function byHand(answers: { knownAt?: Date; fate?: PaymentOutcome } = {}): PaymentParts {
  const { knownAt = new Date(), fate = { status: 'settled' } } = answers;
  const { database, ledger, rail } = parts();
  const answering: PaymentParts['rail'] = {
    ...rail,
    cutOff: at => at,
    expectedAt: () => knownAt,
    knownAt: () => knownAt,
    async ask({ id }) {
      if (fate.status === 'pending') return { askAgainAt: fate.askAgainAt };
      const isSettled = fate.status === 'settled';
      await endExternal(parts(), id, isSettled ? { isSettled } : { isSettled, reason: fate.reason });
      return { files: [] };
    },
  };
  return { database, ledger, rail: answering };
}

/** Sends an external transfer and deletes its job. Returns the transaction's id. */
async function sendQuietly(
  from: SeededCustomer,
  cents = 100n,
  accountNumber = '40218836117',
): Promise<string> {
  const { _id } = await parts().ledger.sendExternal({
    customerId: from.customerId,
    sessionId: null,
    bank: { bankName: 'First Harbour', accountName: 'Ines Caldeira', accountNumber },
    amountCents: cents,
    description: '',
    address: '::1',
  });
  await deleteJobs(_id);
  return _id;
}

const deleteJobs = (id: string) =>
  owner(`DELETE FROM graphile_worker._private_jobs WHERE key LIKE '%' || $1`, [id]);

test('a transfer to another bank arrives after some business days, and its sender is notified [M-09, M-11, N-03]', () =>
  withJobs(async () => {
    const id = await sendOut(anna, 25.5);
    expect(await figures(anna)).toMatchObject({ balance: 74.5, totalSent: 25.5 });
    await vi.waitFor(async () => expect((await detail(anna, id)).status).toBe('completed'), waitOptions);
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
    await vi.waitFor(async () => expect(await mailsTo(anna)).toHaveLength(3), waitOptions);
    const mail = (await mailsTo(anna)).find(({ subject }) => subject === 'External Transfer Arrived');
    expect(mail!.text).toContain('    $25.50\n');
    expect(mail!.text).toContain('To: Ines Caldeira, First Harbour');
    expect(mail!.text).not.toContain('3-7 business days');
  }));

test('a transfer that the other bank rejects is returned in full, with the reason [M-12, M-13, X-18, N-03]', () =>
  withJobs(async () => {
    const id = await sendOut(anna, 40, '73120840000');
    await vi.waitFor(async () => expect((await detail(anna, id)).status).toBe('failed'), waitOptions);
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
        text: 'Your $40.00 to Ines Caldeira is back in your account.',
        transactionId: id,
      },
      { kind: 'money-sent', text: '$40.00 to Ines Caldeira', transactionId: id },
    ]);
    await vi.waitFor(async () => expect(await mailsTo(anna)).toHaveLength(3), waitOptions);
    const mail = (await mailsTo(anna)).find(({ subject }) => subject === 'External Transfer Returned');
    expect(mail!.text).toContain('The money was returned to your account.\n\n    +$40.00\n');
    expect(mail!.text).toContain(`Reason: ${unknownAccount}`);
  }));

test('a transfer is returned even if its sender was frozen in the meantime', async () => {
  const id = await sendQuietly(anna, 700n);
  await submitPayment(byHand(), { transactionId: id });
  await owner('UPDATE ledger_accounts SET frozen_by_bank = true WHERE id = $1', [anna.accountId]);
  await decidePayment(byHand({ fate: { status: 'returned', reason: 'x' } }), { transactionId: id });
  expect(await figures(anna)).toMatchObject({ balance: 100, totalSent: 0 });
});

test('money returned to a customer whose account is closed goes to the unclaimed balances, and no notification is sent [AC-24]', async () => {
  const unclaimed = async () =>
    (await owner<{ balance: bigint }>('SELECT balance FROM ledger_accounts WHERE id = 3')).rows[0]!.balance;
  const id = await sendQuietly(anna, 700n);
  await submitPayment(byHand(), { transactionId: id });
  await closeForGood(parts().database, anna.accountId);
  const before = await unclaimed();
  await decidePayment(byHand({ fate: { status: 'returned', reason: 'x' } }), { transactionId: id });
  expect((await unclaimed()) - before).toBe(700n);
  expect((await owner('SELECT FROM notifications WHERE transaction_id = $1', [id])).rows).toEqual([]);
  expect(
    (await owner('SELECT FROM transfer_mails WHERE step = 2 AND $1 = ANY (transaction_ids)', [id])).rows,
  ).toEqual([]);
});

test('twenty concurrent answers that contradict each other, through two ledgers, end a transfer once', async () => {
  const second = openLedger(bank.test.database);
  const ids = await Promise.all(Array.from({ length: 5 }, () => sendQuietly(anna, 100n)));
  for (const id of ids) {
    const ended = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        retryWhileBusy(() =>
          endExternal(
            { ...parts(), ledger: i % 2 ? second : parts().ledger },
            id,
            i % 4 < 2 ? { isSettled: true } : { isSettled: false, reason: 'x' },
          ),
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
  expect(await endExternal(parts(), newId(), { isSettled: true }), 'an unknown transfer').toBe(false);
});

test('the sender sees the expected day while a transfer is pending; the rail is asked on that day, or later if the rail says so', async () => {
  const id = await sendQuietly(anna);
  const knownAt = new Date(Date.now() + 3_600_000);
  await submitPayment(byHand({ knownAt }), { transactionId: id });
  const expectedBy = knownAt.toLocaleDateString('sv-SE', { timeZone: 'America/New_York' });
  expect(await detail(anna, id)).toMatchObject({ status: 'pending', expectedBy });
  const later = new Date(knownAt.getTime() + 60_000);
  for (const [at, work] of [
    [knownAt, () => submitPayment(byHand({ knownAt }), { transactionId: id })],
    [
      later,
      () => decidePayment(byHand({ fate: { status: 'pending', askAgainAt: later } }), { transactionId: id }),
    ],
  ] as const) {
    await work();
    // There is exactly one job, and it is retried practically without a limit.
    expect(await paymentJobs(id)).toEqual([
      { task: 'decide-payment', run_at: at, attempts: 0, max_attempts: 32_767 },
    ]);
  }
  await decidePayment(byHand(), { transactionId: id });
  expect((await detail(anna, id)).status).toBe('completed');
  // Interrupted jobs run again and find the work done.
  await deleteJobs(id);
  await submitPayment(byHand(), { transactionId: id });
  await decidePayment(byHand({ fate: { status: 'returned', reason: 'x' } }), { transactionId: id });
  expect(await paymentJobs(id)).toEqual([]);
  expect((await detail(anna, id)).status).toBe('completed');
});

test('payments that wait for the cut-off are scheduled together, by the job of one of them', async () => {
  const send = () => sendOut(anna, 1);
  const ids = [await send(), await send(), await send()];
  const cutOff = new Date(Date.now() + 3_600_000);
  const knownAt = new Date(cutOff.getTime() + 86_400_000);
  const waiting = byHand({ knownAt });
  await submitPayment(
    { ...waiting, rail: { ...waiting.rail, cutOff: () => cutOff } },
    { transactionId: ids[0]! },
  );
  const expectedBy = knownAt.toLocaleDateString('sv-SE', { timeZone: 'America/New_York' });
  for (const id of ids) {
    expect(await detail(anna, id)).toMatchObject({ status: 'pending', expectedBy });
    expect(await paymentJobs(id)).toEqual([
      { task: 'submit-payment', run_at: cutOff, attempts: 0, max_attempts: 32_767 },
    ]);
    await endExternal(parts(), id, { isSettled: true });
    await deleteJobs(id);
  }
});

test('at the cut-off, the many payments of one customer run after the first ones of all others, also after a freeze [RF-36]', async () => {
  const ben = await person(100n);
  const many = await Promise.all(Array.from({ length: 40 }, () => sendQuietly(anna, 1n)));
  const one = await sendQuietly(ben, 1n);
  const all = [...many, one];
  /** Processes every payment, which schedules new jobs. Returns how many of them the queue runs before Ben's. */
  const jobsBefore = async (cutOff: (at: Date) => Date) => {
    const waiting = byHand();
    for (const transactionId of all)
      await submitPayment({ ...waiting, rail: { ...waiting.rail, cutOff } }, { transactionId });
    const { rows } = await owner<{ key: string; isFuture: boolean }>(
      `SELECT key, run_at > now() AS "isFuture" FROM graphile_worker._private_jobs WHERE key = ANY ($1)
        ORDER BY priority, run_at, id`,
      [all.map(id => `submit-payment:${id}`)],
    );
    expect(rows.filter(({ isFuture }) => isFuture)).toHaveLength(all.length);
    return rows.findIndex(({ key }) => key === `submit-payment:${one}`);
  };
  const next = new Date(Date.now() + 3_600_000);
  expect(await jobsBefore(() => next)).toBeLessThanOrEqual(1);
  const freeze = (isFrozen: boolean) =>
    parts().database.inTransaction(async tx => {
      for (const { accountId } of [anna, ben]) await setFrozen(tx, accountId, isFrozen);
    });
  await freeze(true);
  // The payments are due now, and wait for the next cut-off while the freeze holds them.
  const frozenAt = new Date();
  expect(await jobsBefore(at => (at < frozenAt ? at : next))).toBeLessThanOrEqual(1);
  await freeze(false);
  for (const id of all) {
    await endExternal(parts(), id, { isSettled: true });
    await deleteJobs(id);
  }
});

test('while the rail is unreachable a payment stays pending, and a posting that fails leaves no job', async () => {
  const id = await sendQuietly(anna);
  const away = () => Promise.reject(new Error('away'));
  await submitPayment(byHand(), { transactionId: id });
  await expect(sendRailFiles({ ...byHand(), rail: { ...byHand().rail, send: away } })).rejects.toThrow(
    'away',
  );
  for (const broken of [{ send: away }, { ask: away }])
    await expect(
      decidePayment({ ...byHand(), rail: { ...byHand().rail, ...broken } }, { transactionId: id }),
    ).rejects.toThrow('away');
  expect((await detail(anna, id)).status).toBe('pending');
  const before = await owner('SELECT FROM graphile_worker.jobs');
  await expect(sendQuietly(anna, 99_999_999n)).rejects.toThrow('Insufficient balance');
  expect((await owner('SELECT FROM graphile_worker.jobs')).rowCount).toBe(before.rowCount);
});

test('payments that have no job or are overdue are named by verify and resumed by the hourly task [M-40]', async () => {
  const [lost, late, onTime] = [await sendQuietly(anna), await sendQuietly(anna), await sendQuietly(anna)];
  // The rail has not got these payments. A freeze holds the first, the second waits for its cut-off after a freeze, and the job
  // of the third fails.
  const ben = await person(100n);
  const [held, unfrozen, failing] = [await sendOut(ben, 1), await sendOut(anna, 1), await sendOut(anna, 1)];
  await parts().database.inTransaction(tx => setFrozen(tx, ben.accountId, true));
  // The jobs of these two have never run: the first has no attempts left, and the second is retried in hours.
  const [spent, stuck] = [await sendOut(anna, 1), await sendOut(anna, 1)];
  const setJob = (id: string, change: string) =>
    owner(
      `UPDATE graphile_worker._private_jobs SET run_at = now() + interval '5 hours', ${change}
        WHERE key = 'submit-payment:' || $1`,
      [id],
    );
  await setJob(unfrozen, 'attempts = 0');
  for (const id of [failing, stuck]) await setJob(id, 'attempts = 9');
  await setJob(spent, 'attempts = max_attempts');
  const move = (interval: string) =>
    owner(`BEGIN; ALTER TABLE transactions DISABLE TRIGGER insert_only;
      UPDATE transactions SET created_at = created_at + interval '${interval}' WHERE id = '${stuck}';
      ALTER TABLE transactions ENABLE ALWAYS TRIGGER insert_only; COMMIT`);
  await move('-2 days');
  const tomorrow = new Date(Date.now() + 86_400_000);
  for (const id of [late, onTime]) await submitPayment(byHand({ knownAt: tomorrow }), { transactionId: id });
  await owner(
    'UPDATE external_transfers SET expected_by = current_date - 3 WHERE transaction_id = ANY ($1)',
    [[late, held, unfrozen, failing]],
  );
  const asOwner = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: bank.test.database.ownerPool }),
  });
  const verdict = await verifyBooks(asOwner);
  for (const id of [lost, spent])
    expect(verdict.faults).toContain(
      `Failed: every pending external transfer has a job: external transfer ${id}`,
    );
  const unsent = ', and the rail does not have it yet';
  const dated = verdict.overdue.map(sentence => sentence.replace(/ \d{4}-\d\d-\d\d/, ' DAY'));
  expect(dated.toSorted()).toEqual(
    [
      `External transfer ${late} is overdue: it was expected by DAY`,
      `External transfer ${unfrozen} is overdue: it was expected by DAY${unsent}`,
      `External transfer ${failing} is overdue: it was expected by DAY${unsent}`,
      `External transfer ${stuck} is overdue: it was sent on DAY${unsent}`,
    ].toSorted(),
  );

  await resumePayments(parts());
  await resumePayments(parts());
  const due = async (id: string) =>
    (await paymentJobs(id)).filter(({ run_at }) => run_at <= new Date()).map(({ task }) => task);
  expect(await due(lost)).toEqual(['submit-payment']);
  expect(await due(late)).toEqual(['submit-payment']);
  for (const id of [failing, spent, stuck]) expect(await due(id)).toEqual(['submit-payment']);
  for (const id of [onTime, unfrozen]) expect(await due(id)).toEqual([]);
  await move('2 days');
  const unsubmitted = [lost, unfrozen, failing, spent, stuck];
  for (const transactionId of unsubmitted) await submitPayment(byHand(), { transactionId });
  for (const transactionId of [late, ...unsubmitted]) await decidePayment(byHand(), { transactionId });
  expect((await verifyBooks(asOwner)).overdue).toEqual([]);
});

test('payments whose jobs failed while the clock was days ahead are resumed, and other failed jobs keep their time [RC-95]', async () => {
  const [ahead, retrying, waiting] = [await sendOut(anna, 1), await sendOut(anna, 1), await sendOut(anna, 1)];
  const setJob = (id: string, attempts: number, wait: string) =>
    owner(
      `UPDATE graphile_worker._private_jobs SET attempts = $2, run_at = now() + $3::interval
        WHERE key = 'submit-payment:' || $1`,
      [id, attempts, wait],
    );
  await setJob(ahead, 3, '3 days');
  await setJob(retrying, 10, '6 hours');
  await setJob(waiting, 0, '3 days');
  await resumePayments(parts());
  const isDue = async (id: string) => (await paymentJobs(id)).some(({ run_at }) => run_at <= new Date());
  expect([await isDue(ahead), await isDue(retrying), await isDue(waiting)]).toEqual([true, false, false]);
});

test('the server cannot change the status, decision time or account number of an external transfer', async () => {
  const id = await sendQuietly(anna);
  for (const change of ["status = 'completed'", 'decided_at = now()', "account_number = '1234'"])
    await expect(
      sql`UPDATE external_transfers SET ${sql.raw(change)} WHERE transaction_id = ${id}`.execute(
        bank.test.database.reader,
      ),
    ).rejects.toThrow(/permission denied/);
});

test('thousands of payments that wait for their cut-off do not make each job read the whole queue [RF-33]', async () => {
  const client = await parts().database.connect('payments');
  const enqueue = (ids: string[], at: Date | null = null) =>
    client.query("SELECT enqueue_payment_jobs('submit-payment', $1, $2)", [ids, at && ids.map(() => at)]);
  // Searches for the whole key, so that it reads the index. A search for a part of the key would itself read the whole queue.
  const hasJob = async (id: string) =>
    (await owner('SELECT FROM graphile_worker._private_jobs WHERE key = $1', [`submit-payment:${id}`]))
      .rowCount;
  const work = async (times: number) => {
    for (let n = 0; n < times; n++) {
      const id = newId();
      await enqueue([id]);
      await vi.waitFor(async () => expect(await hasJob(id)).toBe(0), waitOptions);
    }
  };
  const read = async () => {
    // Without this, the connection would hold back its counts for up to ten seconds.
    await client.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await owner<{ scans: number; rows: number }>(
      // These counters count live rows only. Dead rows would spoil the measurement: VACUUM keeps them while any older
      // transaction is open, even in another test's database.
      `SELECT (seq_scan + idx_scan)::int AS scans, (seq_tup_read + idx_tup_fetch)::int AS rows
         FROM pg_stat_user_tables WHERE relid = 'graphile_worker._private_jobs'::regclass`,
    );
    return rows[0]!;
  };
  const jobs = await startJobs(parts());
  try {
    // Connections cache their query plans here, while the queue is empty.
    await work(30);
    // Makes PostgreSQL analyze the table at the worst moment, when it has pages but no rows, and then not again. From then on,
    // the planner expects a single row, however many there are.
    await owner('ALTER TABLE graphile_worker._private_jobs SET (autovacuum_enabled = off)');
    await enqueue(Array.from({ length: 2_000 }, newId), new Date(Date.now() + 3_600_000));
    await owner('DELETE FROM graphile_worker._private_jobs');
    await owner('ANALYZE graphile_worker._private_jobs');
    const { rows: analyzed } = await owner(
      "SELECT FROM pg_class WHERE oid = 'graphile_worker._private_jobs'::regclass AND reltuples = 0 AND relpages > 10",
    );
    expect(analyzed).toHaveLength(1);
    const waiting = Array.from({ length: 5_000 }, newId);
    await enqueue(waiting, new Date(Date.now() + 3_600_000));
    // On a busy machine there are few scans, so a single background read of the whole queue makes the result too high: measure
    // again. Plans that read the whole queue make every result too high.
    await vi.waitFor(async () => {
      const before = await read();
      let after = before;
      // Long enough for the workers' connections to report their counts, which they do once a second, and for enough scans.
      for (
        const end = performance.now() + 2_500;
        performance.now() < end || after.scans - before.scans <= 100;
      ) {
        await work(1);
        after = await read();
      }
      expect((after.rows - before.rows) / (after.scans - before.scans)).toBeLessThan(50);
    }, waitOptions);
  } finally {
    await jobs.stop();
    await client.end();
    await owner('ALTER TABLE graphile_worker._private_jobs RESET (autovacuum_enabled)');
    await owner("DELETE FROM graphile_worker._private_jobs WHERE run_at > now() + interval '50 minutes'");
  }
});
