/** What the metrics say about jobs that wait, run or have failed. */
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/database.ts';
import { waitOptions } from '../../../tests/waiting.ts';
import { readBacklog } from './backlog.ts';
import { queueOf } from './queue.ts';
import { openQueuePool, startRunner } from './queueRunner.ts';

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

/** Runs `make-statements` until `end` is called, while `work` reads the metrics. */
async function whileStatementsAreMade(work: (end: (error?: Error) => void) => Promise<void>): Promise<void> {
  const { database } = bank;
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const pool = openQueuePool(database);
  const made = Promise.withResolvers<void>();
  made.promise.catch(() => {});
  const end = (error?: Error) => (error ? made.reject(error) : made.resolve());
  const makeStatements = vi.fn(() => made.promise);
  const runner = await startRunner(
    { database, pool, log },
    { 'make-statements': makeStatements, 'clean-up': async () => {} },
  );
  try {
    await enqueue('make-statements');
    await vi.waitFor(() => expect(makeStatements).toHaveBeenCalledOnce(), waitOptions);
    await work(end);
  } finally {
    end();
    await runner.stop();
    await pool.end();
  }
}

test('a job that waits for another job of its queue is not late, and the metrics show how long the other job takes [RC-69]', async () => {
  const read = () => readBacklog(bank.database.pool);
  const oldest = async () => (await read()).jobs_oldest_seconds;
  await whileStatementsAreMade(async end => {
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
  // A short task that waits is late too, because its queue is never locked for long.
  await enqueue('resume-payments', "now() - interval '2 hours'");
  await owner("UPDATE graphile_worker._private_job_queues SET locked_at = now(), locked_by = 'other'");
  expect(await oldest()).toBeGreaterThanOrEqual(7_200);
});

test('a periodic job counts as failed only if no later job does its work [RC-69]', async () => {
  const failed = async () => (await readBacklog(bank.database.pool)).jobs_failed;
  const jobs = async () => (await owner('SELECT FROM graphile_worker.jobs')).rowCount;
  await whileStatementsAreMade(async end => {
    await enqueue('make-statements');
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
