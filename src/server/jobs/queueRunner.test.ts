/** The runner of the job queue after its connections to the database broke. */
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/database.ts';
import { waitOptions } from '../../../tests/waiting.ts';
import { sleep } from '../base/deadline.ts';
import { startRetryLoop } from '../base/retryLoop.ts';
import { watchHeartbeats } from './heartbeat.ts';
import { openQueuePool, startRunner } from './queueRunner.ts';

const names = ['1', '2', '3', '4'];

let bank: TestDatabase;
beforeEach(async () => {
  bank = await cloneDatabase();
});
afterEach(() => bank.drop());

/** Breaks the first query that matches: before it reaches the database, or after. Resolves when it has. */
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

/** Runs four jobs at a time with a runner, and the next one once it has ended. Resolves when no job is left. */
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
    // The first ends when all have started, the others one by one after the end of the first could not be written.
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
