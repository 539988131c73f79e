/**
 * Runs the job queue's library (Graphile Worker) with its own connection pool, our log and a heartbeat. A runner that can no
 * longer recover is stopped and replaced.
 */
import { EventEmitter } from 'node:events';
import type { FastifyBaseLogger } from 'fastify';
import { Logger, parseCronItems, type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import pg from 'pg';
import { sleep, withDeadline } from '../base/deadline.ts';
import { startRetryLoop } from '../base/retryLoop.ts';
import { traceWork } from '../base/tracePoints.ts';
import { behindRefusal, type Database, isLost } from '../db/database.ts';
import { jumpedAhead } from './databaseClock.ts';
import { type Heartbeat, startHeartbeat } from './heartbeat.ts';
import { correctPeriodicTimes, watchClock } from './periodicClock.ts';
import { periodicAttempts, queueOf } from './queue.ts';

/**
 * When each periodic task runs (UTC). Balances are sealed and statements made after midnight in New York, in summer and winter.
 * `make-statements` runs every day: if the server was down on the first, the statements are late, not lost.
 */
const schedule = {
  'store-audit-head': '*/10 * * * *',
  'seal-balances': '23 5 * * *',
  'make-statements': '41 5 * * *',
  'resume-payments': '37 * * * *',
  'clean-up': '17 * * * *',
  'remind-scheduled': '7 * * * *',
} satisfies Partial<Record<keyof typeof queueOf, string>>;

const concurrency = 5;
/** Two runners share the pool: each listens on one connection. Their queries for jobs are short. */
const maxConnections = 6;
const pollMs = 2_000;
/** A stop waits this long for running jobs, then returns them to the queue. */
const abortAfterMs = 2_500;
/** A runner that has not stopped after this time is abandoned and replaced. Longer than the runner's own deadlines. */
const endWithinMs = 10_000;
/** The library runs a job again if its lock was not renewed for four hours. Heartbeats detect dead processes much sooner. */
const defaultRenewMs = 60 * 60 * 1000;
/**
 * A short task that runs longer counts as hung. Its job fails and is tried again. Long tasks may take days, so they have no
 * limit.
 */
const defaultLimitMs = 60 * 60 * 1000;
const defaultClockCheckMs = 60 * 1000;
const restartMs = { idleMs: 500, maxPauseMs: 10_000 } as const;

/**
 * With these settings, every search for a job reads the index in which jobs are in order, whatever the planner believes about
 * the table. Without the first one, a connection would cache a plan made for an empty queue (0027_enqueuing.sql). Without the
 * second, the planner could scan the whole table for a few mails, and read all waiting payments. Without the third, it could
 * sort, which reads every job that is due.
 */
const planSettings =
  'SET plan_cache_mode = force_custom_plan; SET enable_seqscan = off; SET enable_sort = off';

/**
 * The library finds a job's id (`j`) and joins it with the table of jobs (`joined`). A lookup with the same result
 * (`lookedUp`) replaces the join: if the table was analyzed while it was empty, the planner expects a single row, and the join
 * would read all jobs until the table is analyzed again.
 */
const [joined, lookedUp] = [/\bfrom j\s+where jobs\.id = j\.id\b/, 'where jobs.id = (select j.id from j)'];

/**
 * Opens the queue's own connection pool. The bank's pools read bigint columns as `bigint`. The queue's library writes ids as
 * JSON, which cannot represent `bigint`, so with those pools it could not return failed jobs to the queue.
 */
export function openQueuePool(database: Database): pg.Pool {
  const pool = database.openPool('queue', { types: pg.types, max: maxConnections });
  pool.on('connect', client => {
    // `connect` is emitted before the pool hands out the connection, so this is its first query. If the query fails, the
    // connection is closed, because it must not be used without the settings.
    client.query(planSettings).catch(() => void (client as unknown as pg.Client).end().catch(() => {}));
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    client.query = ((given: unknown, ...rest: unknown[]) => {
      const { text } = given as { text?: unknown };
      return typeof text === 'string' && joined.test(text)
        ? query({ ...(given as object), text: text.replace(joined, lookedUp) }, ...rest)
        : query(given, ...rest);
    }) as typeof client.query;
  });
  // If LISTEN fails while the library stops, it releases that connection twice. For the second release, the pool would
  // throw an error that nothing catches, which ends the process.
  const connect = pool.connect.bind(pool);
  pool.connect = ((use?: Parameters<typeof connect>[0]) => {
    if (!use) return connect();
    connect((error, client, release) => {
      let isReleased = false;
      use(error, client, reason => {
        // If no connection became free in time, the pool passes no `release`, although its types say so.
        if (!isReleased) release?.(reason);
        isReleased = true;
      });
    });
  }) as typeof connect;
  return pool;
}

type QueueParts = {
  database: Database;
  pool: pg.Pool;
  log: FastifyBaseLogger;
  renewMs?: number;
  limitMs?: number;
  clockCheckMs?: number;
};

/**
 * Starts to work on `tasks`, and enqueues those of them that are periodic. `promise` settles when the heartbeat has stopped and
 * the runner has ended or was abandoned. The runner ends by `stop` or if it cannot recover, and is abandoned if that takes
 * too long.
 */
export async function startRunner(
  {
    database,
    pool,
    log,
    renewMs = defaultRenewMs,
    limitMs = defaultLimitMs,
    clockCheckMs = defaultClockCheckMs,
  }: QueueParts,
  tasks: TaskList,
): Promise<Pick<Runner, 'promise' | 'stop'>> {
  const events: WorkerEvents = new EventEmitter();
  const periodic = Object.keys(schedule).filter(task => task in tasks);
  if (periodic.length > 0) await correctPeriodicTimes(pool, periodic);
  const isSetBack = watchClock();
  let heartbeat: Heartbeat | undefined;
  let renewing: NodeJS.Timeout | undefined;
  let checking: NodeJS.Timeout | undefined;
  // The library locks jobs under the id of the runner's worker pool.
  events.on('pool:create', ({ workerPool }) => {
    heartbeat = startHeartbeat(database, workerPool.id);
    renewing = setInterval(() => void renewLocks(pool, workerPool.id).catch(() => {}), renewMs).unref();
  });
  const end = async (): Promise<void> => {
    clearInterval(renewing);
    clearInterval(checking);
    await heartbeat?.end();
  };
  const running = run({
    pgPool: pool,
    events,
    concurrency,
    pollInterval: pollMs,
    noHandleSignals: true,
    gracefulShutdownAbortTimeout: abortAfterMs,
    // Forbids no flag. The library awaits this function before it takes a job, so a runner without a heartbeat takes none.
    forbiddenFlags: async () => {
      await heartbeat?.held();
      return [];
    },
    // By default, the library handles no error when it writes the end of a job: a database outage at that moment would crash
    // the process. It does handle errors when it writes ends in batches, so every end is written as a batch, without a delay.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    logger: toLogger(log),
    taskList: traced(limited(tasks, limitMs)),
    parsedCronItems: parseCronItems(
      Object.entries(schedule)
        .filter(([task]) => periodic.includes(task))
        .map(([task, match]) => ({
          task,
          match,
          identifier: task,
          // If a job still waits when its task is due again, the key makes the new job replace it.
          options: {
            maxAttempts: periodicAttempts,
            queueName: queueOf[task as keyof typeof schedule],
            jobKey: task,
          },
        })),
    ),
  });
  const runner = await running.catch(async (error: unknown) => {
    await end();
    throw error;
  });
  const stop = (reason: string) => runner.stop(reason).catch(() => {});
  if (periodic.length > 0)
    checking = setInterval(() => {
      void correctPeriodicTimes(pool, periodic).catch(() => {});
      // After the clock was set back, the library would run no periodic task until the clock shows the earlier time again. A
      // new runner does not wait for that.
      if (isSetBack()) void stop('the clock was set back');
    }, clockCheckMs).unref();
  // The library caches its first lookup of the tasks' ids, even if it fails: after a lost connection at its start, a runner
  // would fail forever. A runner that only fails is therefore stopped, and a new one is started.
  let failures = 0;
  const reset = () => {
    failures = 0;
  };
  events.on('worker:getJob:empty', reset);
  events.on('job:start', reset);
  events.on('worker:getJob:error', ({ error }) => {
    failures++;
    // If only the answer was lost, the database holds a locked job that no worker has. It is unlocked when this runner ends.
    if (isLost(error) || failures === concurrency * 2) void stop('the queue is unreachable');
  });
  // If the library cannot write the end of a job, it stops, but it miscounts the other jobs and may wait for them forever.
  // Without this time limit, no other runner would start then, and the heartbeat would keep the jobs locked.
  const hung = Promise.withResolvers<void>();
  events.on('pool:gracefulShutdown', () => {
    setTimeout(() => {
      void stop('it did not stop in time');
      hung.resolve();
    }, endWithinMs).unref();
  });
  return {
    promise: Promise.race([runner.promise, hung.promise]).finally(end),
    stop: reason => runner.stop(reason),
  };
}

/** Renews the locks of a runner's jobs and of their queues. */
async function renewLocks(pool: pg.Pool, runner: string): Promise<void> {
  await pool.query(
    // With the second condition, a small index finds the jobs (0028_queue_watch.sql).
    `WITH jobs AS (
       UPDATE graphile_worker._private_jobs SET locked_at = now() WHERE locked_by = $1 AND locked_at IS NOT NULL)
     UPDATE graphile_worker._private_job_queues SET locked_at = now() WHERE locked_by = $1`,
    [runner],
  );
}

/**
 * Runs `tasks` with a runner, and replaces a runner that ended: the database stayed unreachable, the runner hung, or the clock
 * was set back. Throws if the first runner does not start.
 */
export async function superviseRunner(
  queue: QueueParts,
  tasks: TaskList,
): Promise<{ stop(): Promise<void> }> {
  let runner = await startRunner(queue, tasks);
  const replace = async (signal: AbortSignal): Promise<boolean> => {
    await runner.promise.catch(() => {});
    await sleep(restartMs.idleMs, signal);
    if (signal.aborted) return false;
    runner = await startRunner(queue, tasks);
    // `stop` may have been called while the new runner was starting.
    if (signal.aborted) await runner.stop();
    return true;
  };
  const loop = startRetryLoop(replace, {
    ...restartMs,
    onError: error => queue.log.warn({ reason: error.message }, 'the job queue is unreachable'),
  });
  return {
    async stop() {
      const stopping = loop.stop();
      await runner.stop().catch(() => {});
      await stopping;
    },
  };
}

/** Deletes permanently failed jobs after two weeks; until then they are kept for diagnosis. Returns how many it deleted. */
export async function deleteFailedJobs(database: Database): Promise<number> {
  const deleted = await database.pool.query(
    `SELECT graphile_worker.complete_jobs(array_agg(id)) FROM graphile_worker.jobs
      WHERE attempts >= max_attempts AND locked_at IS NULL AND updated_at < now() - interval '14 days'
     HAVING count(*) > 0`,
  );
  return deleted.rowCount ?? 0;
}

/**
 * Logs the library's messages without their context, because it contains payloads with personal data. Leaves out
 * the failures of jobs that wait for the clock: `databaseClock.ts` logs that once for all of them.
 */
function toLogger(log: FastifyBaseLogger): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error' && !message.includes(jumpedAhead)) log.error(message);
    else if (level === 'warning') log.warn(message);
    else log.debug(message);
  });
}

/** The same tasks; a job of a short task fails after `limitMs`, although its work may continue. */
function limited(tasks: TaskList, limitMs: number): TaskList {
  const isShort = (task: string) => ['short', undefined].includes((queueOf as Record<string, string>)[task]);
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]): [string, TaskList[string]] => [
      name,
      isShort(name)
        ? (order, helpers) =>
            withDeadline((async () => task!(order, helpers))(), limitMs, () => {
              throw new Error('The task hangs: it did not end in time.');
            })
        : task,
    ]),
  );
}

/** The same tasks; a trace shows each run as a span. Instead of a refusal, the queue stores and logs the error behind it. */
function traced(tasks: TaskList): TaskList {
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]): [string, TaskList[string]] => [
      name,
      (order, helpers) => {
        const { transactionId } = order as { transactionId?: string };
        const point = { name: `job ${name}`, ...(transactionId !== undefined && { transactionId }) };
        return traceWork(point, async () => task!(order, helpers)).catch((error: Error) => {
          throw behindRefusal(error);
        });
      },
    ]),
  );
}
