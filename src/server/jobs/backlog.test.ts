/** What the metrics say about jobs that wait, run or have failed. */
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Refusal } from '#contract/errors.ts';
import { cloneDatabase, type TestDatabase } from '../../../tests/database.ts';
import { countMostRowsRead } from '../../../tests/queryPlans.ts';
import { waitOptions } from '../../../tests/waiting.ts';
import { readBacklog, schedulesTried } from './backlog.ts';
import { runGoals } from './goals.ts';
import { resumePayments } from './payments.ts';
import { enqueueAfterClosing, queueOf } from './queue.ts';
import { openQueuePool, startRunner } from './queueRunner.ts';
import { runScheduledTransfers } from './scheduledTransfers.ts';

let bank: TestDatabase;
beforeEach(async () => {
  bank = await cloneDatabase();
});
afterEach(() => bank.drop());

const owner = (text: string) => bank.database.ownerPool.query(text);
/** Enqueues a periodic task as its schedule does. */
const enqueue = (task: keyof typeof queueOf, dueAt = 'now()') =>
  owner(
    `SELECT graphile_worker.add_job('${task}', queue_name => '${queueOf[task]}', job_key => '${task}', max_attempts => 3, run_at => ${dueAt})`,
  );

/** Runs `seal-balances` until `end` is called, while `work` reads the metrics. */
async function whileBalancesAreSealed(work: (end: (error?: Error) => void) => Promise<void>): Promise<void> {
  const { database } = bank;
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const pool = openQueuePool(database);
  const sealed = Promise.withResolvers<void>();
  sealed.promise.catch(() => {});
  const end = (error?: Error) => (error ? sealed.reject(error) : sealed.resolve());
  const sealBalances = vi.fn(() => sealed.promise);
  const runner = await startRunner(
    { database, pool, log },
    { 'seal-balances': sealBalances, 'clean-up': async () => {} },
  );
  try {
    await enqueue('seal-balances');
    await vi.waitFor(() => expect(sealBalances).toHaveBeenCalledOnce(), waitOptions);
    await work(end);
  } finally {
    end();
    await runner.stop();
    await pool.end();
  }
}

test('a job that waits for a long job of its queue is not late, and the metrics show how long the long job takes [RC-69]', async () => {
  const read = () => readBacklog(bank.database.pool);
  const oldest = async () => (await read()).jobs_oldest_seconds;
  await whileBalancesAreSealed(async end => {
    await enqueue('clean-up', "now() - interval '1 hour'");
    await owner(
      "UPDATE graphile_worker._private_jobs SET run_at = now() - interval '2 days' WHERE locked_at IS NOT NULL",
    );
    expect(await oldest()).toBe(0);
    const { jobs_waiting: waiting, jobs_running_oldest_seconds: running } = await read();
    expect(waiting).toBe(2);
    expect(running).toBeGreaterThanOrEqual(2 * 86_400);
    end();
    await vi.waitFor(async () => expect((await read()).jobs_running_oldest_seconds).toBe(0), waitOptions);
  });
  // No runner is left, so every job that could run is late.
  await enqueue('clean-up', "now() - interval '1 hour'");
  expect(await oldest()).toBeGreaterThanOrEqual(3_600);
  // A waiting task of the queue `short` is late although its queue is locked: that queue is never locked for long.
  await enqueue('resume-payments', "now() - interval '2 hours'");
  await owner("UPDATE graphile_worker._private_job_queues SET locked_at = now(), locked_by = 'other'");
  expect(await oldest()).toBeGreaterThanOrEqual(7_200);
});

test('a periodic job counts as failed only if no later job does its work [RC-69]', async () => {
  const failed = async () => (await readBacklog(bank.database.pool)).jobs_failed;
  const jobs = async () => (await owner('SELECT FROM graphile_worker.jobs')).rowCount;
  await whileBalancesAreSealed(async end => {
    await enqueue('seal-balances');
    expect(await jobs()).toBe(2);
    expect(await failed()).toBe(0);
    end(new Error('once'));
    await vi.waitFor(async () => {
      const { rowCount } = await owner(
        "SELECT FROM graphile_worker.jobs WHERE last_error = 'once' AND key IS NULL",
      );
      expect(rowCount).toBe(1);
    }, waitOptions);
    expect(await failed()).toBe(0);
  });
  await owner('UPDATE graphile_worker._private_jobs SET attempts = max_attempts WHERE key IS NOT NULL');
  expect(await failed()).toBe(1);
});

test('a job that a newer one replaced does not count as failed if its process died, and a mail that always failed does [RC-69]', async () => {
  const { database } = bank;
  const failed = async () => (await readBacklog(database.pool)).jobs_failed;
  const enqueueErasures = () => database.inTransaction(enqueueAfterClosing);
  await enqueueErasures();
  await owner("UPDATE graphile_worker._private_jobs SET attempts = 1, locked_at = now(), locked_by = 'dead'");
  await enqueueErasures();
  await owner("SELECT graphile_worker.force_unlock_workers('{dead}')");
  const { rowCount: replaced } = await owner(
    'SELECT FROM graphile_worker.jobs WHERE attempts = max_attempts AND locked_at IS NULL',
  );
  expect(replaced).toBe(2);
  expect(await failed()).toBe(0);
  // A mail has no key from the start.
  await owner("SELECT graphile_worker.add_job('mail')");
  await owner('UPDATE graphile_worker._private_jobs SET attempts = max_attempts');
  expect(await failed()).toBe(3);
});

const pending = 3_000;

/** Adds payments to other banks that wait for a later day, each with its job. */
async function addPending(): Promise<void> {
  await owner(`
    INSERT INTO external_transfers (transaction_id, bank_name, account_name, account_number, submitted_at)
    SELECT new_id(), 'First Harbour', 'Ines', '40218836117', now() FROM generate_series(1, ${pending});
    SELECT enqueue_payment_jobs('decide-payment', array_agg(transaction_id), array_agg(now() + interval '3 days'))
      FROM external_transfers;
    ANALYZE graphile_worker._private_jobs, external_transfers`);
}

test('the metrics do not read the jobs of all payments that wait for a later day [RC-69]', async () => {
  await addPending();
  const { pool } = bank.database;
  const read = await countMostRowsRead(pool, explaining => readBacklog(explaining));
  // The metrics count the pending payments once.
  expect(read).toBeLessThan(pending + 500);
  await owner(
    "SELECT enqueue_payment_jobs('submit-payment', ARRAY[new_id()], ARRAY[now() - interval '1 hour'])",
  );
  const { jobs_waiting: waiting, jobs_oldest_seconds: oldest } = await readBacklog(pool);
  expect(waiting).toBe(1);
  expect(oldest).toBeGreaterThanOrEqual(3_600);
});

test('a payment that lost its job is resumed without one query that reads all pending payments [RF-34]', async () => {
  await addPending();
  const { rows } = await bank.database.ownerPool.query<{ id: string }>(
    'SELECT transaction_id AS id FROM external_transfers ORDER BY transaction_id DESC LIMIT 1',
  );
  const lost = rows[0]!.id;
  const jobOf = `SELECT FROM graphile_worker._private_jobs WHERE key = 'submit-payment:${lost}' AND run_at <= now()`;
  await owner(`DELETE FROM graphile_worker._private_jobs WHERE key LIKE '%:${lost}'`);
  const warn = vi.fn();
  const read = await countMostRowsRead(bank.database.pool, async pool => {
    await resumePayments({ database: { ...bank.database, pool }, log: { warn } as never });
  });
  // One query reads a page of a thousand payments, each with its job.
  expect(read).toBeLessThan(2_500);
  expect(warn).toHaveBeenCalledWith({ transaction: lost }, 'a payment had no job');
  expect((await owner(jobOf)).rowCount).toBe(1);
});

test('a payment that a freeze holds does not count as late at the rail [RC-69]', async () => {
  const age = async () => (await readBacklog(bank.database.pool)).external_oldest_seconds;
  await owner(`
    INSERT INTO external_transfers (transaction_id, bank_name, account_name, account_number)
    VALUES ('01900000-0000-7000-8000-000000000000', 'First Harbour', 'Ines', '40218836117')`);
  expect(await age()).toBe(0);
  await owner("UPDATE external_transfers SET submitted_at = now() - interval '14 days'");
  expect(await age()).toBeGreaterThanOrEqual(14 * 86_400);
});

test('a payment that a freeze held for days does not hide a newer one that is late at the rail [RC-69]', async () => {
  await owner(`
    INSERT INTO external_transfers (transaction_id, bank_name, account_name, account_number, submitted_at)
    VALUES ('01900000-0000-7000-8000-000000000000', 'First Harbour', 'Ines', '40218836117', now()),
           ('01900000-0000-7000-8000-000000000001', 'First Harbour', 'Noor', '40218836118', now() - interval '14 days')`);
  const { external_oldest_seconds: oldest } = await readBacklog(bank.database.pool);
  expect(oldest).toBeGreaterThanOrEqual(14 * 86_400);
});

test('a mail that a full mailbox defers does not count as late [RC-69]', async () => {
  const isLate = async () => (await readBacklog(bank.database.pool)).transfer_mails_oldest_seconds! >= 3_600;
  await owner(
    "INSERT INTO transfer_mails (transaction_ids, step, tries, created_at) VALUES ('{}', 1, 9, now() - interval '1 hour')",
  );
  expect(await isLate()).toBe(false);
  await owner(
    "INSERT INTO transfer_mails (transaction_ids, step, unanswered, created_at) VALUES ('{}', 1, 9, now() - interval '1 hour')",
  );
  expect(await isLate()).toBe(true);
});

test('a summary that is due and not sent counts as late, and one that waits for its hour does not [RC-69]', async () => {
  const age = async () => (await readBacklog(bank.database.pool)).transfer_mails_oldest_seconds;
  await owner(
    "INSERT INTO summary_mails (transaction_id, step, side, account_id, is_daily, due_at) VALUES (new_id(), 1, 0, 1, true, now() + interval '1 hour')",
  );
  expect(await age()).toBe(0);
  await owner("UPDATE summary_mails SET due_at = now() - interval '1 hour'");
  expect(await age()).toBeGreaterThanOrEqual(3_600);
});

const today = "(now() AT TIME ZONE 'America/New_York')::date";

test('scheduled transfers and rules of savings goals that do not run are late, except those that wait for money [RC-69]', async () => {
  const age = async () => (await readBacklog(bank.database.pool)).schedules_oldest_seconds;
  const day = 86_400;
  await owner(`
    INSERT INTO scheduled_transfers (id, customer_id, account_id, account_number, amount, description, start_date, frequency,
                                     next_date, request_hash)
    VALUES (new_id(), new_id(), 1, '40218836117', 1, 'Rent', ${today}, 'once', ${today} + 1, new_id())`);
  expect(await age()).toBe(0);
  await owner(
    `UPDATE scheduled_transfers SET next_date = ${today} - 2, retry_at = now() + interval '1 hour'`,
  );
  expect(await age()).toBe(0);
  await owner("UPDATE scheduled_transfers SET retry_at = now() - interval '1 hour'");
  expect(Math.floor((await age())! / 3_600)).toBe(1);
  await owner('UPDATE scheduled_transfers SET retry_at = NULL');
  expect(await age()).toBeGreaterThan(day);
  await owner('UPDATE scheduled_transfers SET is_paused = true');
  expect(await age()).toBe(0);
  await owner(`
    INSERT INTO goals (id, account_id, ledger_account, name, picture, target, rule_amount, rule_frequency, rule_start, rule_date,
                       request_hash)
    VALUES (new_id(), 1, 2, 'Boat', 'boat', 1, 1, 'weekly', ${today}, ${today} - 2, new_id())`);
  expect(await age()).toBeGreaterThan(day);
});

const insertDueTransfer = `
  INSERT INTO scheduled_transfers (id, customer_id, account_id, account_number, amount, description, start_date, frequency,
                                   next_date, request_hash)
  VALUES (new_id(), new_id(), 1, '40218836117', 1, 'Rent', ${today}, 'once', ${today} - 1, new_id())`;

test('due work counts as tried if it failed unexpectedly, but not if the busy ledger refused it or the query for it failed [OB-05]', async () => {
  const { database } = bank;
  await owner(insertDueTransfer);
  const isTried = async (work: string, run: () => Promise<unknown>) => {
    schedulesTried.reset();
    await run().catch(() => {});
    return (await schedulesTried.get()).values.some(({ labels }) => labels.work === work);
  };
  const transfers = (error: Error) =>
    isTried('transfers', () =>
      runScheduledTransfers({ database, ledger: { runScheduled: () => Promise.reject(error) } }),
    );
  expect(await transfers(new Error('no posting for this account'))).toBe(true);
  expect(await transfers(new Refusal('BUSY', { waitTime: 1 }))).toBe(false);
  const goals = () => isTried('goals', () => runGoals({ database }));
  expect(await goals()).toBe(true);
  await owner('ALTER TABLE goals RENAME TO hidden');
  expect(await goals()).toBe(false);
});

test('a schedule or rule that another session has locked does not count as tried [OB-05]', async () => {
  const { database } = bank;
  await owner(insertDueTransfer);
  await owner(`
    INSERT INTO goals (id, account_id, ledger_account, name, picture, target, rule_amount, rule_frequency, rule_start, rule_date,
                       request_hash)
    VALUES (new_id(), 1, 2, 'Boat', 'boat', 1, 1, 'weekly', ${today}, ${today} - 2, new_id())`);
  const runScheduled = () => Promise.reject(new Error('must not be called'));
  schedulesTried.reset();
  await database.inTransaction(async tx => {
    await sql`SELECT FROM scheduled_transfers, goals FOR UPDATE`.execute(tx);
    expect(await runScheduledTransfers({ database, ledger: { runScheduled } })).toBe(false);
    expect(await runGoals({ database })).toBe(false);
  });
  expect((await schedulesTried.get()).values).toEqual([]);
});
