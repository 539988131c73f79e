/**
 * All background work: the jobs of the queue (`taskList`), and loops that search for due work themselves (`loops`). Jobs start
 * within milliseconds of the commit that enqueued them, run at least once, and survive an outage of the mail server or the
 * database.
 */
import type { JobHelpers } from 'graphile-worker';
import { Counter } from 'prom-client';
import { withDeadline } from '../base/deadline.ts';
import { startRetryLoop } from '../base/retryLoop.ts';
import { waitUntilIdle } from '../base/waitUntilIdle.ts';
import { readBankState } from '../db/bankState.ts';
import { reasonOf } from '../db/database.ts';
import { updateCheckpoints } from '../ledger/pageCheckpoints.ts';
import { updateSearchTexts } from '../ledger/searchTexts.ts';
import { alertOfGuesses, checkPayments, type GuessOrder } from './alerts.ts';
import { type CleanUpParts, cleanUp } from './cleanUp.ts';
import { checkClocks, type DatabaseClock, jumpedAhead, watchDatabaseClock } from './databaseClock.ts';
import { type ExportOrder, type ExportParts, exportData, removeOldExports } from './exportData.ts';
import { type ResetOrder, resetFactors, resumeResets } from './factorResets.ts';
import { finishErasures } from './finishErasures.ts';
import { runGoals } from './goals.ts';
import { watchHeartbeats } from './heartbeat.ts';
import type { MailOrder } from './mails/templates.ts';
import { makeStatements, type StatementParts } from './makeStatements.ts';
import {
  decidePayment,
  type PaymentOrder,
  type PaymentParts,
  resumePayments,
  submitPayment,
} from './payments.ts';
import { type ProofOrder, runProof } from './proofs.ts';
import { type PushParts, sendNextPushes } from './pushes.ts';
import { openQueuePool, superviseRunner } from './queueRunner.ts';
import { readRailFolder } from './railFolder.ts';
import { sendRailFiles } from './railOutgoing.ts';
import { endRequestsAboutClosed } from './requestMails.ts';
import { runScheduledTransfers, type ScheduleParts, sendReminders } from './scheduledTransfers.ts';
import { type ScreeningOrder, screenAllCustomers } from './screenCustomers.ts';
import { openSealing, type SealParts, sealBalances, storeCurrentHead } from './sealAudit.ts';
import { type MailParts, sendMail } from './sendMail.ts';
import { correctStoredTimes } from './storedAhead.ts';
import { sendNextSummaries } from './summaryMails.ts';
import { sendNextTransferMails } from './transferMails.ts';

/** What jobs need; a subset of the bank's parts. */
export type JobParts = PaymentParts &
  MailParts &
  CleanUpParts &
  SealParts &
  ScheduleParts &
  StatementParts &
  ExportParts &
  PushParts;

const transferMailsIdleMs = 500;
const pushIdleMs = 1_000;
const scheduleIdleMs = 1_000;
const sealIdleMs = 2_000;
/**
 * How long a busy process puts off sealing. `maxSealDelayMs` is for the first batch of 1,000 rows: a burst of transfers is
 * posted faster if it is sealed afterward. `maxSealPauseMs` is for each further batch.
 */
const [maxSealDelayMs, maxSealPauseMs] = [10_000, 200];
/** A process whose event loop is busier than this is in a burst. The share is low: while posting, a process mostly waits. */
const burstShare = 0.25;
const alertIdleMs = 1_000;
const listIdleMs = 10_000;
/** A file that is being copied into the folder changes more often than this. */
const railSettledMs = 2_000;
const railIdleMs = 2_000;
const railSendMs = 1_000;
const heartbeatCheckMs = 1_000;
const heldCheckMs = 2_000;
/**
 * For `GET /metrics`. Without it, only the log would show work that fails again and again, such as scheduled transfers.
 */
export const backgroundFailures = new Counter({
  name: 'larkspur_background_failures_total',
  help: 'rounds of background work that failed and are retried, by the message in the log',
  labelNames: ['message'],
  registers: [],
});
/** A stop waits this long for the answers of push services. */
const pushAnswersMs = 2_000;
/** A stop waits at most this long for running work. */
export const stopTimeoutMs = 4_500;

/**
 * Starts the background work. In a bank that is held after a restore, the work starts once the bank is released. `stop` waits
 * for running jobs, for less than five seconds.
 */
export async function startJobs(parts: JobParts): Promise<{ stop(): Promise<void> }> {
  const { database, log } = parts;
  const isHeld = async () => (await readBankState(database.reader)).heldSince !== null;
  if (!(await isHeld())) return await startWork(parts);
  log.warn(
    'the bank is held after a restore: no mail, no payment and no deletion until npm run restore -- --release',
  );
  let work: { stop(): Promise<void> } | undefined;
  const waiting = startRetryLoop(
    async () => {
      if (!work && !(await isHeld())) work = await startWork(parts);
      return false;
    },
    {
      idleMs: heldCheckMs,
      onError: error => log.warn({ reason: reasonOf(error) }, 'jobs did not start; retrying'),
    },
  );
  return {
    async stop() {
      await waiting.stop();
      await work?.stop();
    },
  };
}

async function startWork(parts: JobParts): Promise<{ stop(): Promise<void> }> {
  const { database, log } = parts;
  await checkClocks(parts);
  const pool = openQueuePool(database);
  const clock = watchDatabaseClock(parts);
  const { mail, ...others } = taskList(parts, clock);
  const runners: { stop(): Promise<void> }[] = [];
  try {
    // Mails have a runner of their own: in a shared one they would run before payments, and a slow mail server would occupy
    // every slot.
    for (const tasks of [{ mail }, others])
      runners.push(await superviseRunner({ database, pool, log }, tasks));
  } catch (error) {
    await Promise.all(runners.map(runner => runner.stop()));
    await pool.end();
    throw error;
  }
  const warn = (message: string) => {
    // Exported as zero from the start: otherwise Prometheus would not see the first failure as an increase.
    backgroundFailures.inc({ message }, 0);
    return (error: Error) => {
      backgroundFailures.inc({ message });
      log.warn({ reason: reasonOf(error) }, message);
    };
  };
  const heartbeats = watchHeartbeats(database);
  const seal = openSealing(parts);
  /**
   * Whether more scheduled transfers are due. Until they are posted, mails about transfers wait, because sending them meanwhile
   * would delay the transfers that customers make.
   */
  let isPostingSchedules = false;
  const postSchedules = async (): Promise<boolean> => {
    let isMoreDue = false;
    try {
      const now = await clock();
      isMoreDue = now !== undefined && (await runScheduledTransfers(parts, now));
    } finally {
      isPostingSchedules = isMoreDue;
    }
    return isMoreDue;
  };
  const openPushes = new Set<Promise<void>>();
  let hasMoreToSeal = false;
  const sealNext = async (signal: AbortSignal): Promise<boolean> => {
    await (hasMoreToSeal
      ? waitUntilIdle(signal, maxSealPauseMs)
      : waitUntilIdle(signal, maxSealDelayMs, burstShare));
    hasMoreToSeal = await seal();
    return hasMoreToSeal;
  };
  const loops = [
    startRetryLoop(() => heartbeats.check(), {
      idleMs: heartbeatCheckMs,
      onError: error => log.debug({ reason: error.message }, 'heartbeats could not be checked'),
    }),
    startRetryLoop(async signal => !isPostingSchedules && (await sendNextTransferMails(parts, signal)), {
      idleMs: transferMailsIdleMs,
      onError: warn('transfer mails could not be sent and will be retried'),
    }),
    startRetryLoop(() => sendNextPushes(parts, openPushes), {
      idleMs: pushIdleMs,
      onError: warn('push notifications could not be sent; retrying'),
    }),
    startRetryLoop(postSchedules, {
      idleMs: scheduleIdleMs,
      onError: warn('scheduled transfers could not be run; retrying'),
    }),
    startRetryLoop(
      async () => {
        const now = await clock();
        return now !== undefined && (await runGoals(parts, now));
      },
      { idleMs: scheduleIdleMs, onError: warn('money could not be moved into savings goals; retrying') },
    ),
    startRetryLoop(sealNext, {
      idleMs: sealIdleMs,
      onError: warn('the audit log could not be sealed; retrying'),
    }),
    startRetryLoop(signal => checkPayments(parts, signal), {
      idleMs: alertIdleMs,
      onError: warn('payments could not be checked for alerts; retrying'),
    }),
    startRetryLoop(signal => sendNextSummaries(parts, signal), {
      idleMs: transferMailsIdleMs,
      onError: warn('summaries could not be sent and will be retried'),
    }),
    startRetryLoop(
      async () => {
        await sendRailFiles(parts);
        return false;
      },
      { idleMs: railSendMs, onError: warn('the rail’s files could not be sent; retrying') },
    ),
    startRetryLoop(
      async signal => {
        await readRailFolder(parts, { settledMs: railSettledMs, signal });
        return false;
      },
      { idleMs: railIdleMs, onError: warn('the rail’s files could not be read; retrying') },
    ),
    startRetryLoop(() => updateCheckpoints(database), {
      idleMs: listIdleMs,
      onError: warn('page checkpoints could not be updated; long lists are slower'),
    }),
    startRetryLoop(
      async signal => {
        await waitUntilIdle(signal);
        return await updateSearchTexts(database);
      },
      { idleMs: listIdleMs, onError: warn('search texts could not be updated; searches are slower') },
    ),
  ];

  const stop = async (): Promise<void> => {
    const finish = async () => {
      await Promise.all([...runners, ...loops].map(each => each.stop()));
      // Messages whose answers are not recorded are sent again. A service that never answers must not delay every stop for
      // long.
      await withDeadline(Promise.all(openPushes), pushAnswersMs, () => []);
    };
    await withDeadline(finish(), stopTimeoutMs, () => {});
    // Not awaited: a hanging connection would delay the shutdown of the whole bank.
    pool.end().catch(() => {});
  };
  let stopped: Promise<void> | undefined;
  return {
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

function taskList(parts: JobParts, clock: DatabaseClock) {
  const { log } = parts;
  /** Does nothing while the database's clock is ahead: the next run of the periodic task catches up. */
  const onTime =
    (work: (signal: AbortSignal | undefined, now: Date) => Promise<void>) =>
    async (_: unknown, { abortSignal }: JobHelpers) => {
      const now = await clock();
      if (now) await work(abortSignal, now);
    };
  /**
   * Fails the job while the database's clock is ahead. The queue retries it at a time that this wrong clock determines;
   * `resume-payments` corrects that time.
   */
  const waitForClock = async () => {
    if (!(await clock())) throw new Error(jumpedAhead);
  };
  return {
    mail: async (order: unknown, { job, abortPromise }: JobHelpers) => {
      const sending = sendMail(
        parts,
        { id: job.id, createdAt: job.created_at, startedAt: job.locked_at!, attempts: job.attempts },
        order as MailOrder,
      );
      const outcome = (await Promise.race([sending, abortPromise])) as Awaited<typeof sending>;
      const isNotSent = ['too late', 'refused', 'gone'].includes(outcome);
      if (isNotSent) log.warn({ job: job.id, outcome }, 'a mail was not sent and will not be');
      else if (outcome !== 'sent')
        log.warn({ job: job.id, outcome }, 'the mail server has a mail and did not answer');
    },
    async 'submit-payment'(order: unknown) {
      await waitForClock();
      await submitPayment(parts, order as PaymentOrder);
    },
    'decide-payment': (order: unknown, { abortSignal }: JobHelpers) =>
      decidePayment(parts, order as PaymentOrder, abortSignal),
    async 'finish-erasures'(_: unknown, { abortSignal }: JobHelpers) {
      // Closing an account deletes the rows of its data copies, but not the files. They must not wait for the hourly clean-up.
      await removeOldExports(parts);
      await finishErasures(parts, abortSignal);
    },
    async 'end-requests'(_: unknown, { abortSignal }: JobHelpers) {
      await endRequestsAboutClosed(parts.database, abortSignal);
      abortSignal?.throwIfAborted();
    },
    async 'reset-factors'(order: unknown) {
      await waitForClock();
      await resetFactors(parts, order as ResetOrder);
    },
    'resume-payments': onTime(async (signal, now) => {
      await resumePayments(parts);
      await resumeResets(parts);
      await correctStoredTimes(parts, now, signal);
    }),
    'store-audit-head': () => storeCurrentHead(parts),
    'seal-balances': onTime(signal => sealBalances(parts, signal)),
    'prove-books': (order: unknown, { abortSignal }: JobHelpers) =>
      runProof(parts, order as ProofOrder, abortSignal),
    'make-statements': onTime((signal, now) => makeStatements(parts, signal, now)),
    'alert-guesses': (order: unknown) => alertOfGuesses(parts, order as GuessOrder),
    'remind-scheduled': onTime(() => sendReminders(parts)),
    'export-data': (order: unknown, { job, abortSignal }: JobHelpers) =>
      exportData(parts, order as ExportOrder, abortSignal, job.attempts),
    'screen-customers': (order: unknown, { abortSignal }: JobHelpers) =>
      screenAllCustomers(parts.database, order as ScreeningOrder, abortSignal),
    'clean-up': onTime(signal => cleanUp(parts, signal)),
  };
}
