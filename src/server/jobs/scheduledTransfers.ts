/**
 * Runs scheduled transfers whose date has come. A batch locks its schedules, posts their transfers through the ledger's poster,
 * and records the results in the transaction that holds the locks. If the process dies in between, the locks end with its
 * connection. The next attempt finds each posted transfer by its key, which derives from schedule and date.
 */

import { scheduled } from '#contract/constants.ts';
import { Refusal, type RefusalCode } from '#contract/errors.ts';
import type { FailureReason } from '#contract/scheduled.ts';
import type { Database, Tx } from '../db/database.ts';
import { findScheduledRun } from '../ledger/ledger.ts';
import type { Parts } from '../parts.ts';
import { remindOfTomorrow } from '../people/scheduledReminders.ts';
import {
  type DueSchedule,
  lockDueSchedules,
  postponeSchedules,
  type RunResult,
  recordRuns,
  type ScheduledDate,
} from '../people/scheduledTransfers.ts';
import { recordTried } from './backlog.ts';

export type ScheduleParts = {
  database: Database;
  ledger: Pick<Parts['ledger'], 'runScheduled'>;
  log?: Pick<Parts['log'], 'error'>;
};

/**
 * Schedules per batch. A customer's own transfer may have to wait for one batch, so batches are small. But the larger they are,
 * the less a transfer costs the database.
 */
const batchSize = 128;

/** Gives up after this many schedules that failed, because the cause then lies outside the schedules. */
const maxFailures = 100;

/**
 * Runs the next batch of due schedules that no other process has locked. Returns false if there are none or the ledger is busy.
 * If a transfer fails with an unexpected error, runs all other due schedules and then throws that error. The next call tries
 * the transfer again. `at`: see `lockDueSchedules`.
 */
export async function runScheduledTransfers(parts: ScheduleParts, at: Date | null = null): Promise<boolean> {
  const failures: Failures = new Map();
  for (;;) {
    const isMoreDue = await runBatch(parts, at, failures);
    if (failures.size === 0) return isMoreDue;
    if (!isMoreDue || failures.size >= maxFailures) throw failures.values().next().value;
  }
}

/** The unexpected errors, by schedule. */
type Failures = Map<string, unknown>;

/** Runs a batch without the schedules that failed before, and adds those that fail now. */
async function runBatch(parts: ScheduleParts, at: Date | null, failures: Failures): Promise<boolean> {
  return await parts.database.inTransaction(async tx => {
    const due = await lockDueSchedules(tx, { most: batchSize, failed: [...failures.keys()] }, at);
    if (due.length === 0) {
      await recordTried(tx, 'transfers', [...failures.keys()]);
      return false;
    }
    const attempts = await Promise.all(due.map(schedule => attempt(tx, parts, failures, schedule)));
    const short = attempts.filter(({ reason }) => reason === 'balance').map(({ id }) => id);
    const failed = new Set(await postponeSchedules(tx, short, at));
    await recordRuns(
      tx,
      attempts.filter(
        (run): run is RunResult =>
          run.result !== 'not run' && (run.reason !== 'balance' || failed.has(run.id)),
      ),
    );
    // If the ledger is busy, the caller pauses before the next batch. The results recorded above are still committed.
    return attempts.every(({ id, result }) => result !== 'not run' || failures.has(id));
  });
}

/** The hourly task `remind-scheduled`: mails customers whose balance is too small for tomorrow's transfers. */
export async function sendReminders({ database }: Pick<ScheduleParts, 'database'>): Promise<void> {
  while ((await database.inTransaction(tx => remindOfTomorrow(tx))) > 0);
}

type Attempt = Omit<RunResult, 'result'> & { result: RunResult['result'] | 'not run' };

/** Why a date was not paid, by refusal. A used-up daily limit is retried like a balance that is too small. */
const reasons: Partial<Record<RefusalCode, FailureReason>> = {
  INSUFFICIENT_BALANCE: 'balance',
  LIMIT_EXCEEDED: 'balance',
  NOT_FOUND: 'receiver',
};

async function attempt(
  tx: Tx,
  { ledger, log }: Omit<ScheduleParts, 'database'>,
  failures: Failures,
  schedule: DueSchedule,
): Promise<Attempt> {
  const { id, date, amount, daysLate, mayBePaid } = schedule;
  if (daysLate > scheduled.missedDays || mayBePaid) {
    const paid = await findScheduledRun(tx, id, date);
    // If it was not paid, the customer decides whether to pay it now.
    return paid
      ? { id, date, amount: paid.amount, result: 'sent', transactionId: paid.id }
      : { id, date, amount, result: 'missed' };
  }
  try {
    const posted = await payDate(ledger, schedule);
    return { id, date, amount: posted.amount, result: 'sent', transactionId: posted._id };
  } catch (error) {
    if (!(error instanceof Refusal)) {
      log?.error({ err: error, schedule: id }, 'a scheduled transfer could not be posted; retrying');
      failures.set(id, error);
    }
    const code = error instanceof Refusal ? error.code : undefined;
    if (code === undefined || code === 'BUSY') return { id, date, amount, result: 'not run' };
    if (code === 'ACCOUNT_FROZEN') return { id, date, amount, result: 'skipped', reason: 'frozen' };
    const reason = reasons[code] ?? 'refused';
    return { id, date, amount, result: 'failed', reason };
  }
}

/** Pays a date of a schedule, or finds that it was paid. */
export function payDate(ledger: ScheduleParts['ledger'], schedule: ScheduledDate) {
  const { id, date, customerId, bankName, accountName, accountNumber, amount, description } = schedule;
  return ledger.runScheduled({
    scheduleId: id,
    date,
    customerId,
    amountCents: amount,
    description,
    ...(bankName === ''
      ? { receiverAccountNumber: accountNumber, bank: null }
      : { bank: { bankName, accountName, accountNumber } }),
  });
}
