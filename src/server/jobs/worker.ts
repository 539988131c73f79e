/**
 * Works on the job queue: mails, sealing, cleaning up. Jobs are started within milliseconds of the commit that asked for
 * them, run at least once, and survive a mail server or a database that is away for a while.
 */
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import {
  type JobHelpers,
  Logger,
  parseCronItems,
  type Runner,
  run,
  type WorkerEvents,
} from 'graphile-worker';
import pg from 'pg';
import type { Database } from '../db/database.ts';
import { forgetExpired, removeOrphans, type SweptFiles } from './cleanUp.ts';
import { keepMailingNews } from './moneyNews.ts';
import type { MailOrder } from './queue.ts';
import { readHead, sealAll } from './sealAudit.ts';
import { type Sender, sendMail } from './sendMail.ts';

/** What jobs work with; the bank's parts hold it all. */
export type JobParts = {
  publicUrl: string;
  database: Database;
  mailer: Sender;
  files: SweptFiles;
  log: FastifyBaseLogger;
};

const concurrency = 4;
const pollMs = 2_000;
/** Longer than any job may take; whoever holds one for longer is gone. */
const abandonedSeconds = 120;
const abandonedCheckMs = 60_000;
/** A stop waits so long for running jobs, then puts them back into the queue. */
const abortAfterMs = 2_500;
const stopPatienceMs = 4_500;
const restartDelaysMs = [500, 1_000, 2_000, 5_000, 10_000] as const;

/** Starts to work. `openCode` opens the sealed codes of mails. `stop` lets running jobs end and takes five seconds at most. */
export async function startJobs(
  parts: JobParts,
  openCode: (sealed: string) => string,
): Promise<{ stop(): Promise<void> }> {
  const { database, log } = parts;
  const ending = new AbortController();
  const pool = openQueuePool(database);
  const begin = () => startRunner(parts, pool, openCode);
  let runner = await begin().catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });

  /** The queue's own worker gives up when the database stays away; ours begins anew. */
  const keepRunning = async (): Promise<void> => {
    for (let attempt = 0; ; ) {
      await runner.promise.catch(() => {});
      if (ending.signal.aborted) return;
      await sleep(restartDelaysMs[Math.min(attempt, restartDelaysMs.length - 1)], undefined, ending).catch(
        () => {},
      );
      if (ending.signal.aborted) return;
      try {
        runner = await begin();
        attempt = 0;
      } catch (error) {
        attempt++;
        log.warn({ reason: (error as Error).message }, 'the job queue is away');
      }
    }
  };
  const kept = keepRunning();

  const look = () =>
    freeAbandonedJobs(database).catch((error: Error) =>
      log.debug({ reason: error.message }, 'could not look for jobs'),
    );
  await look();
  const looking = setInterval(look, abandonedCheckMs);
  looking.unref();
  const news = keepMailingNews(parts, log);

  const end = async (): Promise<void> => {
    const quickly = Promise.all([runner.stop().catch(() => {}), news.stop(), kept]);
    await Promise.race([quickly, sleep(stopPatienceMs)]);
    // Not waited for: a connection that hangs would hold up the whole bank's end.
    pool.end().catch(() => {});
  };
  let stopped: Promise<void> | undefined;
  return {
    stop() {
      ending.abort();
      clearInterval(looking);
      stopped ??= end();
      return stopped;
    },
  };
}

/**
 * The queue's own connections. The bank reads bigint columns as `bigint`; the queue's library writes ids as JSON, which
 * knows no such thing, and could put back no failed job.
 */
function openQueuePool({ ownerPool }: Database): pg.Pool {
  const { options } = ownerPool;
  // A pool hides its password from being copied by accident.
  const pool = new pg.Pool({ ...options, password: options.password, types: pg.types, max: concurrency + 2 });
  pool.on('error', () => {});
  pool.on('connect', client => client.on('error', () => {}));
  return pool;
}

async function startRunner(
  parts: JobParts,
  pgPool: pg.Pool,
  openCode: (sealed: string) => string,
): Promise<Runner> {
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
    logger: toLogger(parts.log),
    taskList: taskList(parts, openCode),
    parsedCronItems: parseCronItems([
      { task: 'seal-audit', match: '* * * * *', identifier: 'seal-audit', options: { maxAttempts: 1 } },
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

function taskList(parts: JobParts, openCode: (sealed: string) => string) {
  const { database, files, log } = parts;
  return {
    async mail(order: unknown, { job, abortPromise }: JobHelpers) {
      const told = { id: job.id, createdAt: job.created_at };
      const sending = sendMail({ ...parts, openCode }, told, order as MailOrder);
      const outcome = (await Promise.race([sending, abortPromise])) as Awaited<typeof sending>;
      if (outcome !== 'sent') log.warn({ job: job.id, outcome }, 'a mail was not sent and will not be');
    },
    async 'seal-audit'() {
      const sealed = await sealAll(database);
      const head = await readHead(database);
      if (sealed > 0 && head) log.info({ records: String(head.position), hash: head.hash }, 'audit sealed');
    },
    async 'clean-up'() {
      const rows = await forgetExpired(database);
      const orphans = await removeOrphans(database, files);
      const failed = await forgetFailedJobs(database);
      log.info({ rows, orphans, failed }, 'cleaned up');
    },
  };
}

/** Jobs whose worker died with its process would otherwise wait four hours. */
async function freeAbandonedJobs(database: Database): Promise<void> {
  await database.ownerPool.query(
    `SELECT graphile_worker.force_unlock_workers(array_agg(DISTINCT locked_by)) FROM graphile_worker.jobs
      WHERE locked_at < now() - make_interval(secs => $1) HAVING count(*) > 0`,
    [abandonedSeconds],
  );
}

/** Jobs that failed for good are kept for two weeks, for whoever asks why. */
async function forgetFailedJobs(database: Database): Promise<number> {
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
