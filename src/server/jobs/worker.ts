/**
 * Everything that happens later: the job queue with its mails, payments and clean-up, the mails about money, the sealing of
 * the audit log, the marks and texts of long lists. Jobs start within milliseconds of the commit that enqueued them, run at
 * least once, and survive a mail server or a database that is down for a while.
 */
import type { JobHelpers } from 'graphile-worker';
import { sleep, withDeadline } from '../base/deadline.ts';
import { startRetryLoop } from '../base/retryLoop.ts';
import { waitUntilIdle } from '../base/waitUntilIdle.ts';
import { updateCheckpoints } from '../ledger/pageCheckpoints.ts';
import { updateSearchTexts } from '../ledger/searchTexts.ts';
import { type CleanUpParts, cleanUp } from './cleanUp.ts';
import { watchHeartbeats } from './heartbeat.ts';
import type { MailOrder } from './mails/templates.ts';
import { mailNextNews } from './moneyNews.ts';
import { decidePayment, type PaymentOrder, type PaymentParts, submitPayment } from './payments.ts';
import { openQueuePool, startRunner } from './queueRunner.ts';
import { readHead, sealNext } from './sealAudit.ts';
import { type MailParts, sendMail } from './sendMail.ts';

/** What jobs work with; the bank's parts have it all. */
export type JobParts = PaymentParts & MailParts & CleanUpParts;

const newsIdleMs = 500;
const sealIdleMs = 2_000;
const listIdleMs = 10_000;
const heartbeatCheckMs = 1_000;
/** After so long a stop goes on, whatever still runs. */
const stopPatienceMs = 4_500;
const restartMs = { idleMs: 500, maxPauseMs: 10_000 } as const;

/** Starts to work. `stop` lets running jobs end and takes five seconds at most. */
export async function startJobs(parts: JobParts): Promise<{ stop(): Promise<void> }> {
  const { database, log } = parts;
  const pool = openQueuePool(database);
  const begin = () => startRunner({ database, pool, log }, taskList(parts));
  let runner = await begin().catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });

  /** The queue's own worker gives up when the database stays away; a new one is started. */
  const keepRunning = async (signal: AbortSignal): Promise<boolean> => {
    await runner.promise.catch(() => {});
    await sleep(restartMs.idleMs, signal);
    if (signal.aborted) return false;
    runner = await begin();
    // It may have started in the very moment in which everything was stopped.
    if (signal.aborted) await runner.stop();
    return true;
  };
  const warn = (message: string) => (error: Error) => log.warn({ reason: error.message }, message);
  const heartbeats = watchHeartbeats(database);
  const loops = [
    startRetryLoop(keepRunning, { ...restartMs, onError: warn('the job queue is away') }),
    startRetryLoop(() => heartbeats.check(), {
      idleMs: heartbeatCheckMs,
      onError: error => log.debug({ reason: error.message }, 'heartbeats could not be checked'),
    }),
    startRetryLoop(signal => mailNextNews(parts, signal), {
      idleMs: newsIdleMs,
      onError: warn('mails about money could not be sent and wait'),
    }),
    startRetryLoop(() => sealNext(database), {
      idleMs: sealIdleMs,
      onError: warn('the audit log could not be sealed and waits'),
    }),
    startRetryLoop(() => updateCheckpoints(database), {
      idleMs: listIdleMs,
      onError: warn('long lists could not be marked; they are slower'),
    }),
    startRetryLoop(
      async signal => {
        await waitUntilIdle(signal);
        return await updateSearchTexts(database);
      },
      { idleMs: listIdleMs, onError: warn('texts could not be indexed; searches are slower') },
    ),
  ];

  const end = async (): Promise<void> => {
    const stopping = loops.map(loop => loop.stop());
    await withDeadline(Promise.all([runner.stop().catch(() => {}), ...stopping]), stopPatienceMs, () => {});
    // Not awaited: a connection that hangs would delay the end of the whole bank.
    pool.end().catch(() => {});
  };
  let stopped: Promise<void> | undefined;
  return {
    stop() {
      stopped ??= end();
      return stopped;
    },
  };
}

function taskList(parts: JobParts) {
  const { database, log } = parts;
  return {
    async mail(order: unknown, { job, abortPromise }: JobHelpers) {
      const sending = sendMail(parts, { id: job.id, createdAt: job.created_at }, order as MailOrder);
      const outcome = (await Promise.race([sending, abortPromise])) as Awaited<typeof sending>;
      if (outcome !== 'sent') log.warn({ job: job.id, outcome }, 'a mail was not sent and will not be');
    },
    'submit-payment': (order: unknown) => submitPayment(parts, order as PaymentOrder),
    'decide-payment': (order: unknown) => decidePayment(parts, order as PaymentOrder),
    async 'note-audit-head'() {
      const head = await readHead(database);
      if (head) log.info({ records: String(head.position), hash: head.hash }, 'audit head');
    },
    'clean-up': (_: unknown, { abortSignal }: JobHelpers) => cleanUp(parts, abortSignal),
  };
}
