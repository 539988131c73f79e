/** How the job queue's runner recovers from lost connections, hung tasks and wrong clocks. */
import type { Socket } from 'node:net';
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/database.ts';
import { waitOptions } from '../../../tests/waiting.ts';
import { sleep } from '../base/deadline.ts';
import { startRetryLoop } from '../base/retryLoop.ts';
import { newId } from '../base/uuid.ts';
import { watchHeartbeats } from './heartbeat.ts';
import { enqueueJob } from './queue.ts';
import { openQueuePool, startRunner, superviseRunner } from './queueRunner.ts';

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

/** Adds four jobs and starts a runner. Starts another runner when the first has ended. Resolves when no job is left. */
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

test('when the completion of a job cannot be saved while other jobs run, a new runner takes over all jobs [RC-85]', async () => {
  const broken = breakOnce(/^\s*delete from \S+_private_jobs/i, 'before');
  const started = new Set<string>();
  const done = new Set<string>();
  await runJobs(async name => {
    started.add(name);
    // Job 1 ends once all have started, but its completion cannot be saved. Then the others end one by one.
    if (name === '1') await vi.waitFor(() => expect(started.size).toBe(names.length), waitOptions);
    else {
      await broken;
      await sleep(100 * Number(name));
    }
    done.add(name);
  });
  expect([...done].sort()).toEqual(names);
});

test('when the response that assigns a job to a runner is lost, a new runner does that job [RC-85]', async () => {
  void breakOnce(/locked_by = /i, 'after');
  const done = new Set<string>();
  await runJobs(async name => {
    done.add(name);
  });
  expect([...done].sort()).toEqual(names);
});

test('a server whose database restarts, hangs and restarts again keeps running and works on jobs [RC-85]', async () => {
  const { database } = bank;
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const query = Reflect.get(pg.Client.prototype, 'query');
  let hanging: Socket | undefined;
  let isBroken = true;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    const [given] = args as [{ text?: string } | string];
    const text = typeof given === 'string' ? given : (given.text ?? '');
    const { stream } = (this as unknown as { connection: { stream: Socket } }).connection;
    // While LISTEN has no answer, searches for jobs lose their connections, so the runner stops and sends UNLISTEN.
    if (isBroken && text.startsWith('LISTEN')) {
      hanging = stream;
      stream.pause();
    }
    if (isBroken && hanging && /locked_by = /i.test(text))
      return Promise.reject(new Error('Connection terminated unexpectedly'));
    const result = Reflect.apply(query, this, args) as unknown;
    if (isBroken && stream === hanging && text.startsWith('UNLISTEN')) {
      isBroken = false;
      stream.destroy();
    }
    return result;
  } as never);
  const uncaught = vi.fn();
  process.on('unhandledRejection', uncaught);
  const pool = openQueuePool(database);
  const mail = vi.fn(async () => {});
  const runner = await superviseRunner({ database, pool, log }, { mail });
  try {
    await vi.waitFor(() => expect(isBroken).toBe(false), waitOptions);
    await database.inTransaction(tx => enqueueJob(tx, 'mail', { template: 'registered', personId: newId() }));
    await vi.waitFor(() => expect(mail).toHaveBeenCalledOnce(), waitOptions);
    expect(uncaught).not.toHaveBeenCalled();
  } finally {
    process.off('unhandledRejection', uncaught);
    spy.mockRestore();
    await runner.stop();
    await pool.end();
  }
});

test('a runner that stops while it waits for a connection to listen on ends without an error that nothing catches [RC-85]', async () => {
  const { database } = bank;
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const uncaught = vi.fn();
  process.on('uncaughtException', uncaught);
  const pool = openQueuePool(database);
  const runner = await startRunner({ database, pool, log }, { mail: async () => {} });
  const taken: pg.PoolClient[] = [];
  try {
    const listening = "query LIKE 'LISTEN %' AND datname = current_database()";
    await vi.waitFor(async () => {
      const ended = await database.ownerPool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${listening}`,
      );
      expect(ended.rowCount).toBe(1);
    }, waitOptions);
    // All connections are taken, so the runner, which wants to listen again, waits for one until its request times out.
    await vi.waitFor(async () => {
      while (taken.length < pool.options.max) taken.push(await pool.connect());
      expect(pool.waitingCount).toBeGreaterThan(0);
    }, waitOptions);
    await runner.stop();
    await vi.waitFor(() => expect(pool.waitingCount).toBe(0), waitOptions);
    expect(uncaught).not.toHaveBeenCalled();
  } finally {
    process.off('uncaughtException', uncaught);
    for (const client of taken) client.release();
    await pool.end();
  }
});

test('the lock of a job that takes hours is renewed, so the job does not run twice [RC-86]', async () => {
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

test('a payment whose task hangs is tried again [RC-88]', async () => {
  const { database } = bank;
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const pool = openQueuePool(database);
  let runs = 0;
  const runner = await startRunner(
    { database, pool, log, limitMs: 300 },
    {
      'decide-payment': async () => {
        runs++;
        if (runs === 1) await new Promise(() => {});
      },
    },
  );
  try {
    await database.ownerPool.query("SELECT enqueue_payment_jobs('decide-payment', ARRAY[new_id()])");
    await vi.waitFor(async () => {
      const left = await database.ownerPool.query('SELECT last_error FROM graphile_worker._private_jobs');
      expect(left.rows).toEqual([]);
    }, waitOptions);
    expect(runs).toBe(2);
  } finally {
    await runner.stop();
    await pool.end();
  }
});

test('after the clock of a server was three days fast, periodic tasks do not pause for three days [RC-89]', async () => {
  const { database } = bank;
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const pool = openQueuePool(database);
  const start = (clockCheckMs: number) =>
    startRunner({ database, pool, log, clockCheckMs }, { 'clean-up': async () => {} });
  const isAhead = async () => {
    const { rows } = await database.ownerPool.query<{ ahead: boolean }>(
      `SELECT coalesce(max(last_execution) > now() + interval '2 days', false)
              OR EXISTS (SELECT FROM graphile_worker._private_jobs WHERE run_at > now() + interval '2 days') AS ahead
         FROM graphile_worker._private_known_crontabs`,
    );
    return rows[0]!.ahead;
  };
  const run = async (text: string) => void (await database.ownerPool.query(text));
  const setAhead = async () => {
    await run(
      "UPDATE graphile_worker._private_known_crontabs SET last_execution = now() + interval '3 days'",
    );
    await run(
      "SELECT graphile_worker.add_job('clean-up', job_key => 'clean-up', run_at => now() + interval '3 days')",
    );
  };
  const first = await start(20);
  await vi.waitFor(async () => {
    const known = await database.ownerPool.query('SELECT FROM graphile_worker._private_known_crontabs');
    expect(known.rowCount).toBe(1);
  }, waitOptions);
  // Another server's clock is fast while this one runs.
  await setAhead();
  await vi.waitFor(async () => expect(await isAhead()).toBe(false), waitOptions);
  await first.stop();
  // This server starts after a server with a fast clock has ended.
  await setAhead();
  expect(await isAhead()).toBe(true);
  const second = await start(20);
  expect(await isAhead()).toBe(false);
  // The clock of this process was three days fast and is set back. The library would run no periodic task for three days, so
  // the runner ends.
  const now = Date.now.bind(Date);
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 3 * 86_400_000);
  await sleep(100);
  clock.mockRestore();
  await second.promise;
  await pool.end();
});
