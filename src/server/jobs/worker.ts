/**
 * Everything that happens later: the job queue with its mails, payments and cleaning up, the money news, the sealing of
 * the audit log, the marks and texts of long lists. Jobs are started within milliseconds of the commit that asked for them, run at least once, and survive a mail
 * server or a database that is away for a while.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { JobHelpers } from 'graphile-worker';
import { startRetryLoop } from '../base/retryLoop.ts';
import { waitUntilIdle } from '../base/waitUntilIdle.ts';
import type { Database, Reader } from '../db/database.ts';
import { forgetOldNotifications } from '../db/notifications.ts';
import { removeOrphans, type SweptFiles } from './cleanUp.ts';
import { watchHeartbeats } from './heartbeat.ts';
import { mailNextNews } from './moneyNews.ts';
import { decidePayment, type PaymentOrder, type PaymentParts, submitPayment } from './payments.ts';
import type { MailOrder } from './queue.ts';
import { forgetFailedJobs, openQueuePool, startRunner } from './queueRunner.ts';
import { readHead, sealNext } from './sealAudit.ts';
import { type Sender, sendMail } from './sendMail.ts';

/** What jobs work with; the bank's parts hold it all. */
export type JobParts = PaymentParts & {
  publicUrl: string;
  mailer: Sender;
  files: SweptFiles;
  log: FastifyBaseLogger;
};

/** What jobs need done by whoever knows people and the books. */
export type OthersTasks = {
  /** Opens the sealed code of a mail. */
  openCode: (sealed: string) => string;
  /** Opens the sealed address of a mail to somebody who is erased. */
  openAddressee: (sealed: string) => { to: string; name: string };
  /** Lets go of what no rule reads any more; gives how many rows went. */
  forgetExpired: (database: Database, signal: AbortSignal | undefined) => Promise<number>;
  /** Lets go of what the database itself still knows of those who left. */
  forgetTraces: (database: Database, signal: AbortSignal | undefined) => Promise<void>;
  /** Keeps what long lists are read by; true where there is more to do at once. */
  keepMarks: (database: Database) => Promise<boolean>;
  /** Keeps what a search of all transactions is answered by; true where there is more to do at once. */
  keepTexts: (database: Database) => Promise<boolean>;
  /** Adds up the figures of days that are over; gives how many rows went. */
  foldTotals: (database: Database) => Promise<number>;
  /** Which of these stored files no person's row names. */
  findUnnamedFiles: (reader: Reader, names: string[]) => Promise<string[]>;
};

const newsIdleMs = 500;
const sealEveryMs = 2_000;
const markEveryMs = 10_000;
const lookForLifeMs = 1_000;
/** A stop goes on after so long, whatever still runs. */
export const stopPatienceMs = 4_500;
const restartDelaysMs = [500, 1_000, 2_000, 5_000, 10_000] as const;

/** Starts to work. `stop` lets running jobs end and takes five seconds at most. */
export async function startJobs(parts: JobParts, others: OthersTasks): Promise<{ stop(): Promise<void> }> {
  const { database, log } = parts;
  const ending = new AbortController();
  const pool = openQueuePool(database);
  const begin = () => startRunner({ database, pool, log }, taskList(parts, others));
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
        // It may have begun in the very moment everything was stopped.
        if (ending.signal.aborted) return await runner.stop();
        attempt = 0;
      } catch (error) {
        attempt++;
        log.warn({ reason: (error as Error).message }, 'the job queue is away');
      }
    }
  };
  const kept = keepRunning();

  const watch = watchHeartbeats(database);
  const watching = startRetryLoop(() => watch.look(), {
    idleMs: lookForLifeMs,
    onError: error => log.debug({ reason: error.message }, 'could not look for jobs of the dead'),
  });
  const news = startRetryLoop(signal => mailNextNews(parts, signal), {
    idleMs: newsIdleMs,
    onError: error => log.warn({ reason: error.message }, 'money news could not be mailed; it waits'),
  });
  const sealing = startRetryLoop(() => sealNext(database), {
    idleMs: sealEveryMs,
    onError: error => log.warn({ reason: error.message }, 'the audit log could not be sealed; it waits'),
  });

  const marking = startRetryLoop(() => others.keepMarks(database), {
    idleMs: markEveryMs,
    onError: error => log.warn({ reason: error.message }, 'long lists could not be marked; they are slower'),
  });

  const texts = startRetryLoop(
    async signal => {
      await waitUntilIdle(signal);
      return await others.keepTexts(database);
    },
    {
      idleMs: markEveryMs,
      onError: error => log.warn({ reason: error.message }, 'texts could not be kept; searches are slower'),
    },
  );

  const end = async (): Promise<void> => {
    const quickly = Promise.all([
      runner.stop().catch(() => {}),
      watching.stop(),
      news.stop(),
      sealing.stop(),
      marking.stop(),
      texts.stop(),
      kept,
    ]);
    await Promise.race([quickly, sleep(stopPatienceMs, undefined, { ref: false })]);
    // Not waited for: a connection that hangs would hold up the whole bank's end.
    pool.end().catch(() => {});
  };
  let stopped: Promise<void> | undefined;
  return {
    stop() {
      ending.abort();
      stopped ??= end();
      return stopped;
    },
  };
}

function taskList(parts: JobParts, others: OthersTasks) {
  const { openCode, openAddressee, forgetExpired, forgetTraces, foldTotals, findUnnamedFiles } = others;
  const { database, files, log } = parts;
  return {
    async mail(order: unknown, { job, abortPromise }: JobHelpers) {
      const told = { id: job.id, createdAt: job.created_at };
      const sending = sendMail({ ...parts, openCode, openAddressee }, told, order as MailOrder);
      const outcome = (await Promise.race([sending, abortPromise])) as Awaited<typeof sending>;
      if (outcome !== 'sent') log.warn({ job: job.id, outcome }, 'a mail was not sent and will not be');
    },
    'submit-payment': (order: unknown) => submitPayment(parts, order as PaymentOrder),
    'decide-payment': (order: unknown) => decidePayment(parts, order as PaymentOrder),
    async 'note-audit-head'() {
      const head = await readHead(database);
      if (head) log.info({ records: String(head.position), hash: head.hash }, 'audit head');
    },
    async 'clean-up'(_: unknown, { abortSignal }: JobHelpers) {
      const rows = await forgetExpired(database, abortSignal);
      const notifications = await forgetOldNotifications(database, abortSignal);
      const findUnnamed = (names: string[]) => findUnnamedFiles(database.reader, names);
      const orphans = await removeOrphans(files, findUnnamed, abortSignal);
      const failed = await forgetFailedJobs(database);
      const folded = await foldTotals(database);
      await forgetTraces(database, abortSignal).catch((error: Error) =>
        log.warn({ reason: error.message }, 'traces of those who left stay until the next cleaning up'),
      );
      log.info({ rows, notifications, orphans, failed, folded }, 'cleaned up');
    },
  };
}
