/**
 * One run of the job queue's library, with its edges covered: its own connections, its words in our log, a heartbeat
 * while it runs, and an end when it can only fail.
 */
import { EventEmitter } from 'node:events';
import type { FastifyBaseLogger } from 'fastify';
import { Logger, parseCronItems, type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import pg from 'pg';
import type { Database } from '../db/database.ts';
import { type Heartbeat, startHeartbeat } from './heartbeat.ts';

const concurrency = 4;
const pollMs = 2_000;
/** A stop waits so long for running jobs, then puts them back into the queue. */
const abortAfterMs = 2_500;

/**
 * The queue's own connections. The bank reads bigint columns as `bigint`; the queue's library writes ids as JSON, which
 * knows no such thing, and could put back no failed job.
 */
export function openQueuePool({ ownerPool }: Database): pg.Pool {
  const { options } = ownerPool;
  // A pool hides its password from being copied by accident.
  const pool = new pg.Pool({ ...options, password: options.password, types: pg.types, max: concurrency + 2 });
  pool.on('error', () => {});
  pool.on('connect', client => client.on('error', () => {}));
  return pool;
}

/**
 * Begins to work on `tasks`. The promise settles when the run ended, by `stop` or because it could only fail, and has
 * let go of everything.
 */
export async function startRunner(
  { database, pool, log }: { database: Database; pool: pg.Pool; log: FastifyBaseLogger },
  tasks: TaskList,
): Promise<Pick<Runner, 'promise' | 'stop'>> {
  const events: WorkerEvents = new EventEmitter();
  let heartbeat: Heartbeat | undefined;
  // The jobs that a run takes are locked in the name of its pool.
  events.on('pool:create', ({ workerPool }) => {
    heartbeat = startHeartbeat(database, workerPool.id);
  });
  const running = run({
    pgPool: pool,
    events,
    concurrency,
    pollInterval: pollMs,
    noHandleSignals: true,
    gracefulShutdownAbortTimeout: abortAfterMs,
    // Called before every job. No job is forbidden; but a run without a heartbeat takes none.
    forbiddenFlags: async () => {
      await heartbeat?.held();
      return [];
    },
    // Without these the library writes a job's end without waiting for it: a database that is away in that moment would
    // end the process, and a stop would leave the job locked.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    logger: toLogger(log),
    taskList: tasks,
    parsedCronItems: parseCronItems([
      {
        task: 'note-audit-head',
        match: '7 * * * *',
        identifier: 'note-audit-head',
        options: { maxAttempts: 3 },
      },
      { task: 'clean-up', match: '17 * * * *', identifier: 'clean-up', options: { maxAttempts: 3 } },
    ]),
  });
  const runner = await running.catch(async (error: unknown) => {
    await heartbeat?.end();
    throw error;
  });
  // The library keeps what it learnt first, an error too: a runner whose database went away while it began would ask
  // with that error for ever. So one that only fails is ended, and the next begins.
  let failures = 0;
  const reset = () => {
    failures = 0;
  };
  events.on('worker:getJob:empty', reset);
  events.on('job:start', reset);
  events.on('worker:getJob:error', () => {
    failures++;
    if (failures === concurrency * 2) runner.stop('the queue cannot be asked').catch(() => {});
  });
  return { promise: runner.promise.finally(() => heartbeat?.end()), stop: reason => runner.stop(reason) };
}

/** Jobs that failed for good are kept for two weeks, for whoever asks why. Returns how many went. */
export async function deleteFailedJobs(database: Database): Promise<number> {
  const gone = await database.ownerPool.query(
    `SELECT graphile_worker.complete_jobs(array_agg(id)) FROM graphile_worker.jobs
      WHERE attempts >= max_attempts AND locked_at IS NULL AND updated_at < now() - interval '14 days'
     HAVING count(*) > 0`,
  );
  return gone.rowCount ?? 0;
}

/** The queue's words go to our log. Its context holds payloads, which are nobody's business, so only the words. */
function toLogger(log: FastifyBaseLogger): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error(message);
    else if (level === 'warning') log.warn(message);
    else log.debug(message);
  });
}
