/**
 * One run of the job queue's library, with its edges covered: its own connections, its words in our log, an end when it
 * can only fail, and jobs taken back from workers that died.
 */
import { EventEmitter } from 'node:events';
import type { FastifyBaseLogger } from 'fastify';
import { Logger, parseCronItems, type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import pg from 'pg';
import type { Database } from '../db/database.ts';

const concurrency = 4;
const pollMs = 2_000;
/** A stop waits so long for running jobs, then puts them back into the queue. */
const abortAfterMs = 2_500;
/** Longer than a mail may take; whoever holds one for longer is gone. */
const abandonedSeconds = 120;
/** Cleaning up takes as long as there is something to clean; the next hour's run does what a dead one left. */
const cleaningSeconds = 7_200;

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

/** Begins to work on `tasks`. The runner's promise settles when it ended, by `stop` or because it could only fail. */
export async function startRunner(pgPool: pg.Pool, tasks: TaskList, log: FastifyBaseLogger): Promise<Runner> {
  const events: WorkerEvents = new EventEmitter();
  const runner = await run({
    pgPool,
    events,
    concurrency,
    pollInterval: pollMs,
    noHandleSignals: true,
    gracefulShutdownAbortTimeout: abortAfterMs,
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
  return runner;
}

/** Jobs whose worker died with its process would otherwise wait four hours. */
export async function freeAbandonedJobs(database: Database): Promise<void> {
  await database.ownerPool.query(
    `SELECT graphile_worker.force_unlock_workers(array_agg(DISTINCT locked_by)) FROM graphile_worker.jobs
      WHERE locked_at < now() - make_interval(secs => CASE task_identifier WHEN 'clean-up' THEN $2::int ELSE $1::int END)
     HAVING count(*) > 0`,
    [abandonedSeconds, cleaningSeconds],
  );
}

/** Jobs that failed for good are kept for two weeks, for whoever asks why. Returns how many went. */
export async function forgetFailedJobs(database: Database): Promise<number> {
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
