/** The runner of the job queue after its connections to the database broke. */
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/database.ts';
import { waitOptions } from '../../../tests/waiting.ts';
import { sleep } from '../base/deadline.ts';
import { startRetryLoop } from '../base/retryLoop.ts';
import { watchHeartbeats } from './heartbeat.ts';
import { enqueueJob } from './queue.ts';
import { openQueuePool, startRunner } from './queueRunner.ts';

const names = ['1', '2', '3', '4'];

let bank: TestDatabase;
beforeEach(async () => {
  bank = await cloneDatabase();
});
afterEach(() => bank.drop());

/**
 * Makes the first matching query fail as if its connection broke, before or after the query was sent. Resolves when it has
 * failed.
 */
function breakOnce(text: RegExp, when: 'before' | 'after'): Promise<void> {
  const query = Reflect.get(pg.Client.prototype, 'query');
  const broken = Promise.withResolvers<void>();
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(async function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    const isIt = text.test((args[0] as { text?: string }).text ?? '');
    const result =
      isIt && when === 'before'
        ? undefined
        : await (Reflect.apply(query, this, args) as Promise<pg.QueryResult>);
    if (!isIt || result?.rows.length === 0) return result;
    spy.mockRestore();
    broken.resolve();
    throw new Error('Connection terminated unexpectedly');
  } as never);
  return broken.promise;
}

/** Starts a runner of four jobs at a time, and another one when it has ended. Resolves when no job is left. */
async function runJobs(work: (name: string) => Promise<void>): Promise<void> {
  const { database } = bank;
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
  for (const name of names)
    await database.ownerPool.query(
      "SELECT graphile_worker.add_job('mail', json_build_object('name', $1::text))",
      [name],
    );
  const pool = openQueuePool(database);
  const tasks = { mail: (order: unknown) => work((order as { name: string }).name) };
  const heartbeats = watchHeartbeats(database);
  const watching = startRetryLoop(() => heartbeats.check(), { idleMs: 200, onError: () => {} });
  try {
    const first = await startRunner({ database, pool, log }, tasks);
    await first.promise.catch(() => {});
    const next = await startRunner({ database, pool, log }, tasks);
    await vi.waitFor(async () => {
      const left = await database.ownerPool.query('SELECT id, attempts FROM graphile_worker.jobs');
      expect(left.rows).toEqual([]);
    }, waitOptions);
    await next.stop();
  } finally {
    await watching.stop();
    await pool.end();
  }
}

test('when the end of a job cannot be written while others run, a new runner takes over all jobs [RC-85]', async () => {
  const broken = breakOnce(/^\s*delete from \S+_private_jobs/i, 'before');
  const started = new Set<string>();
  const done = new Set<string>();
  await runJobs(async name => {
    started.add(name);
    // The first job ends once all have started, but that end cannot be written. Then the others end one by one.
    if (name === '1') await vi.waitFor(() => expect(started.size).toBe(names.length), waitOptions);
    else {
      await broken;
      await sleep(100 * Number(name));
    }
    done.add(name);
  });
  expect([...done].sort()).toEqual(names);
});

test('when the answer with a job is lost, a new runner does that job [RC-85]', async () => {
  void breakOnce(/locked_by = /i, 'after');
  const done = new Set<string>();
  await runJobs(async name => {
    done.add(name);
  });
  expect([...done].sort()).toEqual(names);
});

test('the lock of a job that takes hours is renewed, so that it does not run a second time meanwhile [RC-86]', async () => {
  const { database } = bank;
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const pool = openQueuePool(database);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let runs = 0;
  const work = async () => {
    runs++;
    await ended;
  };
  const runner = await startRunner({ database, pool, log, renewMs: 50 }, { 'clean-up': work });
  try {
    await database.inTransaction(tx => enqueueJob(tx, 'clean-up', {}));
    await vi.waitFor(() => expect(runs).toBe(1), waitOptions);
    const tables = ['_private_jobs', '_private_job_queues'];
    for (const table of tables)
      await database.ownerPool.query(
        `UPDATE graphile_worker.${table} SET locked_at = now() - interval '5 hours' WHERE locked_at IS NOT NULL`,
      );
    for (const table of tables)
      await vi.waitFor(async () => {
        const { rows } = await database.ownerPool.query(
          `SELECT now() - locked_at < interval '1 hour' AS held FROM graphile_worker.${table} WHERE locked_at IS NOT NULL`,
        );
        expect(rows).toEqual([{ held: true }]);
      }, waitOptions);
    expect(runs).toBe(1);
  } finally {
    end();
    await runner.stop();
    await pool.end();
  }
});
