/**
 * Scheduled transfers: adds and changes them, and records what happened on each date. `scheduledList.ts` reads them for their
 * customers. The job that runs them is in `jobs`.
 */
import { type RawBuilder, sql } from 'kysely';
import { scheduled } from '#contract/constants.ts';
import { invalidField, Refusal } from '#contract/errors.ts';
import { fill } from '#contract/messages/fill.ts';
import * as scheduledMessages from '#contract/messages/scheduled.ts';
import { countUpTo, type FailureReason, type Frequency, type ScheduledChange } from '#contract/scheduled.ts';
import { newId } from '../base/uuid.ts';
import type { Tx } from '../db/database.ts';
import { findReceiver } from './customerLists.ts';
import { findMade, type InsertKey, lockOwner, type Owner } from './keyedInserts.ts';
import { isRetryDue, localTime, nextRetry, openIndex, runningDate } from './runTimes.ts';

/** A transfer to schedule. Bank and holder are empty for an account at this bank. */
export type NewSchedule = {
  bankName: string;
  accountName: string;
  accountNumber: string;
  amount: bigint;
  description: string;
  startDate: string;
  frequency: Frequency;
  endDate: string | undefined;
  count: number | undefined;
};

/**
 * Adds a schedule and returns its id. For a repeated key, returns the first schedule's id, with `isNew` false, or refuses
 * `IDEMPOTENCY_MISMATCH` if the request differs. Refuses `ACCOUNT_FROZEN`, `NOT_FOUND` if this bank has no such receiver,
 * `SAME_ACCOUNT`, a start in the past, and `CONFLICT` if the customer has the maximum number of schedules.
 */
export async function insertSchedule(
  tx: Tx,
  owner: Owner,
  schedule: NewSchedule,
  { key, request }: InsertKey,
): Promise<{ id: string; isNew: boolean }> {
  const { customerId, accountId } = owner;
  const own = await lockOwner(tx, owner);
  const made = await findMade(tx, 'scheduled_transfers', { key, request });
  if (made !== undefined) return { id: made, isNew: false };
  if (own.isFrozen) throw new Refusal('ACCOUNT_FROZEN');
  const { bankName, accountName, accountNumber, amount, description, startDate, frequency } = schedule;
  if (bankName === '') await findReceiver(tx, accountNumber);
  if (bankName === '' && own.number === accountNumber) throw new Refusal('SAME_ACCOUNT');
  const counted = await sql<{ n: number; is_past: boolean }>`
    SELECT count(*)::int AS n, ${startDate}::date < bank_day(now()) AS is_past FROM scheduled_transfers
     WHERE account_id = ${accountId} AND deleted_at IS NULL AND next_date IS NOT NULL`.execute(tx);
  if (counted.rows[0]!.is_past) throw startsInThePast();
  if (counted.rows[0]!.n >= scheduled.max)
    throw new Refusal('CONFLICT', { message: fill(scheduledMessages.tooMany, { max: scheduled.max }) });
  const id = newId();
  await sql`
    INSERT INTO scheduled_transfers (id, customer_id, account_id, bank_name, account_name, account_number, amount, description,
                                     start_date, frequency, end_date, max_count, next_date, key_hash, request_hash)
    VALUES (${id}, ${customerId}, ${accountId}, ${bankName}, ${accountName}, ${accountNumber}, ${amount}, ${description},
            ${startDate}, ${frequency}, ${schedule.endDate ?? null}, ${schedule.count ?? null}, ${startDate}, ${key}, ${request})`.execute(
    tx,
  );
  return { id, isNew: true };
}

const startsInThePast = () => invalidField('startDate', scheduledMessages.startDate);

/** A schedule whose row is locked. The job that runs schedules holds the same lock while it pays a date. */
type LockedSchedule = {
  amount: bigint;
  startDate: string;
  frequency: Frequency;
  endDate: string | null;
  count: number | null;
  isPaused: boolean;
  nextIndex: number;
  nextDate: string | null;
  today: string;
};

/**
 * Locks a schedule until the transaction ends, and leaves out the dates that passed while it was paused, unless that would
 * leave no date. Refuses `NOT_FOUND` if this customer has no such schedule.
 */
export async function lockSchedule(tx: Tx, accountId: bigint, id: string): Promise<LockedSchedule> {
  const found = await sql<LockedSchedule>`
    SELECT amount, start_date::text AS "startDate", frequency, end_date::text AS "endDate", max_count AS count,
           is_paused AS "isPaused", next_index AS "nextIndex", next_date::text AS "nextDate", bank_day(now())::text AS today
      FROM scheduled_transfers WHERE account_id = ${accountId} AND id = ${id} AND deleted_at IS NULL
       FOR NO KEY UPDATE`.execute(tx);
  const [locked] = found.rows;
  if (!locked) throw new Refusal('NOT_FOUND', { message: scheduledMessages.gone });
  return { ...locked, ...(locked.isPaused && (await leaveOutPassed(tx, id, 'if a date is left'))) };
}

/**
 * Leaves out the dates of a locked schedule that have passed, and records the last of them as not sent. If no date is left, the
 * schedule ends. Returns where it continues; undefined if nothing is left out.
 */
async function leaveOutPassed(
  tx: Tx,
  id: string,
  when: 'if a date is left' | 'always',
): Promise<{ nextIndex: number; nextDate: string | null } | undefined> {
  const dateOf = (index: RawBuilder<unknown>) =>
    sql`scheduled_date_within(s.start_date, s.frequency, ${index}, s.end_date, s.max_count)`;
  const moved = await sql<{ nextIndex: number; nextDate: string | null }>`
    WITH open AS (
      SELECT s.id, s.account_id, s.amount, n.index, ${dateOf(sql`n.index`)} AS next, ${dateOf(sql`n.index - 1`)} AS passed
        FROM scheduled_transfers s CROSS JOIN LATERAL (SELECT ${openIndex} AS index) n
       WHERE s.id = ${id} AND s.next_date < bank_day(now())
         AND (${when === 'always'} OR ${dateOf(sql`n.index`)} IS NOT NULL)
    ), recorded AS (
      INSERT INTO scheduled_runs (schedule_id, date, account_id, result, reason, amount, notification_id)
      SELECT id, passed, account_id, 'skipped', 'paused', amount, ${newId()} FROM open
          ON CONFLICT (schedule_id, date) DO NOTHING
    )
    UPDATE scheduled_transfers s SET next_index = o.index, next_date = o.next FROM open o WHERE s.id = o.id
    RETURNING s.next_index AS "nextIndex", s.next_date::text AS "nextDate"`.execute(tx);
  return moved.rows[0];
}

/**
 * Changes a schedule. A new first date or frequency starts the dates over; a new first date also brings back skipped dates. A
 * first date that equals the next date is no change, nor is the same frequency: if a schedule for the 31st started over from
 * February 28, its later dates would be on the 28th. Resuming continues with the first date that is today or later. Returns
 * whether the schedule is resumed, and whether it sends more than before: a higher amount, or other, earlier or more dates.
 *
 * Refuses `NOT_FOUND` if this customer has no such schedule, and `CONFLICT` if the schedule has ended. Also refuses an end
 * before the first date, and a first date that is in the past or has a run that was not skipped.
 */
export async function changeSchedule(
  tx: Tx,
  accountId: bigint,
  id: string,
  change: ScheduledChange,
): Promise<{ sendsMore: boolean; resumes: boolean }> {
  const was = await lockSchedule(tx, accountId, id);
  if (was.nextDate === null) throw new Refusal('CONFLICT', { message: scheduledMessages.ended });
  if (change.startDate !== undefined && change.startDate < was.today) throw startsInThePast();
  const frequency = change.frequency ?? was.frequency;
  const newStart = change.startDate === was.nextDate ? undefined : change.startDate;
  const startsOver = newStart !== undefined || frequency !== was.frequency;
  const startDate = newStart ?? (startsOver ? was.nextDate : was.startDate);
  const endDate = change.endDate === undefined ? was.endDate : change.endDate;
  const isPaused = change.isPaused ?? was.isPaused;
  if (endDate !== null && endDate < (change.startDate ?? startDate))
    throw invalidField('endDate', scheduledMessages.endDate);
  if (newStart !== undefined) {
    await sql`
      DELETE FROM scheduled_runs
       WHERE schedule_id = ${id} AND date >= ${newStart} AND result = 'skipped'`.execute(tx);
    const done = await sql`
      SELECT FROM scheduled_runs WHERE schedule_id = ${id} AND date = ${newStart}`.execute(tx);
    if (done.rows.length > 0) throw invalidField('startDate', scheduledMessages.startDone);
  }
  const left = was.count === null ? null : was.count - was.nextIndex;
  // Given with a first date or a frequency, a count counts from the next date. If date and frequency are no change, the current
  // total is no change either: a client that read the schedule writes it back.
  const isFromNext =
    !startsOver &&
    (change.startDate !== undefined || change.frequency !== undefined) &&
    change.count !== was.count;
  const named = isFromNext && change.count ? change.count + was.nextIndex : change.count;
  if (typeof named === 'number' && named > scheduled.maxCount)
    throw invalidField('count', countUpTo(scheduled.maxCount - was.nextIndex));
  const count = named === undefined ? (startsOver ? left : was.count) : named;
  const from = startsOver ? 0 : was.nextIndex;
  const resumes = was.isPaused && !isPaused;
  // The database compares the dates: as text, a year with five digits sorts before this year. If all dates of `was` passed
  // while it was paused, resuming alone would send nothing, so dates that start over send more.
  const changed = await sql<{ sendsMore: boolean }>`
    UPDATE scheduled_transfers s
       SET amount = ${change.amount ?? was.amount}, description = coalesce(${change.description ?? null}, s.description),
           start_date = ${startDate}, frequency = ${frequency}, end_date = ${endDate}, max_count = ${count},
           is_paused = ${isPaused}, retry_at = CASE WHEN ${startsOver || isPaused} THEN NULL ELSE s.retry_at END,
           next_index = ${from}, next_date = scheduled_date_within(${startDate}, ${frequency}, ${from}, ${endDate}, ${count})
      FROM scheduled_transfers was
     WHERE s.id = ${id} AND was.id = s.id
    RETURNING s.amount > was.amount OR s.frequency <> was.frequency
      OR (${startsOver} AND (s.start_date < was.next_date OR (was.is_paused AND was.next_date < bank_day(now()))))
      OR coalesce(s.end_date, 'infinity') > coalesce(was.end_date, 'infinity')
      OR coalesce(s.max_count - s.next_index, 'infinity'::float8) > coalesce(was.max_count - was.next_index, 'infinity'::float8)
      AS "sendsMore"`.execute(tx);
  if (resumes) await leaveOutPassed(tx, id, 'always');
  return { sendsMore: changed.rows[0]!.sendsMore, resumes };
}

/** Deletes a schedule. Refuses `NOT_FOUND` if this customer has no such schedule. */
export async function deleteSchedule(tx: Tx, accountId: bigint, id: string): Promise<void> {
  await lockSchedule(tx, accountId, id);
  await sql`UPDATE scheduled_transfers SET deleted_at = now(), next_date = NULL, retry_at = NULL WHERE id = ${id}`.execute(
    tx,
  );
}

/** What happened on a date. With the reason `receiver`, the receiver's account is closed and the schedule ends. */
export type RunResult = {
  id: string;
  date: string;
  result: 'sent' | 'failed' | 'skipped' | 'missed';
  reason?: FailureReason;
  amount: bigint;
  transactionId?: string;
};

/**
 * Records what happened on the next dates of these locked schedules and moves each to its following date. Notifies customers of
 * missed dates; notifies and mails them about failed dates, unless a freeze was the reason.
 */
export async function recordRuns(tx: Tx, runs: readonly RunResult[]): Promise<void> {
  if (runs.length === 0) return;
  const columns = [
    runs.map(run => run.id),
    runs.map(run => run.date),
    runs.map(run => run.result),
    runs.map(run => run.reason ?? null),
    runs.map(run => run.amount),
    runs.map(run => run.transactionId ?? null),
    runs.map(() => newId()),
  ];
  await sql`
    WITH q AS (
      SELECT * FROM unnest(${columns[0]}::uuid[], ${columns[1]}::date[], ${columns[2]}::text[], ${columns[3]}::text[],
                           ${columns[4]}::bigint[], ${columns[5]}::uuid[], ${columns[6]}::uuid[])
                    AS q(id, date, result, reason, amount, transaction_id, notification_id)
    ), recorded AS (
      INSERT INTO scheduled_runs (schedule_id, date, account_id, result, reason, amount, transaction_id, notification_id)
      SELECT q.id, q.date, s.account_id, q.result, q.reason, q.amount, q.transaction_id, q.notification_id
        FROM q JOIN scheduled_transfers s ON s.id = q.id
          ON CONFLICT (schedule_id, date) DO NOTHING
      RETURNING *
    ), notified AS (
      INSERT INTO notifications (account_id, id, kind)
      SELECT account_id, notification_id, 'scheduled-' || result FROM recorded
       WHERE result = 'missed' OR (result = 'failed' AND reason <> 'frozen')
    ), mailed AS (
      SELECT enqueue_job('mail', json_build_object('template', 'scheduled-failed', 'personId', s.customer_id,
                                                   'scheduleId', r.schedule_id, 'date', r.date)) AS job
        FROM recorded r JOIN scheduled_transfers s ON s.id = r.schedule_id
       WHERE r.result = 'failed' AND r.reason <> 'frozen'
    )
    UPDATE scheduled_transfers s
       SET next_index = next_index + 1, retry_at = NULL,
           next_date = CASE WHEN q.reason IS DISTINCT FROM 'receiver'
             THEN scheduled_date_within(start_date, frequency, next_index + 1, end_date, max_count) END
      FROM q LEFT JOIN (SELECT count(job) AS jobs FROM mailed) m ON true
     WHERE s.id = q.id AND s.next_date = q.date`.execute(tx);
}

/**
 * Locks a date that the bank missed and returns the data to pay it, with the amount of that date: the customer may have changed
 * the schedule's amount since, and a confirmation of that change does not name missed dates. Refuses `NOT_FOUND` if this
 * customer has no such schedule, and `CONFLICT` if the bank did not miss the date.
 */
export async function lockMissed(
  tx: Tx,
  accountId: bigint,
  id: string,
  date: string,
): Promise<ScheduledDate> {
  await lockSchedule(tx, accountId, id);
  const found = await sql<ScheduledDate & { missedAmount: bigint }>`
    SELECT ${dueColumns}, r.amount AS "missedAmount" FROM scheduled_runs r JOIN scheduled_transfers s ON s.id = r.schedule_id
     WHERE r.schedule_id = ${id} AND r.date = ${date} AND r.result = 'missed'`.execute(tx);
  if (!found.rows[0]) throw new Refusal('CONFLICT', { message: scheduledMessages.notMissed });
  const { missedAmount: amount, ...due } = found.rows[0];
  return { ...due, date, amount };
}

/** Records what the customer decided about a missed date, and marks the notification that asked as read. */
export async function decideMissedRun(
  tx: Tx,
  {
    id,
    date,
    transactionId,
    amount,
  }: { id: string; date: string; transactionId: string | null; amount: bigint },
): Promise<void> {
  await sql`
    WITH decided AS (
      UPDATE scheduled_runs SET result = ${transactionId ? 'sent' : 'skipped'}, transaction_id = ${transactionId},
             amount = ${amount}, at = now()
       WHERE schedule_id = ${id} AND date = ${date} AND result = 'missed'
      RETURNING account_id, notification_id
    )
    UPDATE notifications n SET read_at = now() FROM decided d
     WHERE n.account_id = d.account_id AND n.id = d.notification_id AND n.read_at IS NULL`.execute(tx);
}

/** A schedule with the date to pay. */
export type ScheduledDate = {
  id: string;
  date: string;
  customerId: string;
  bankName: string;
  accountName: string;
  accountNumber: string;
  amount: bigint;
  description: string;
};

export type DueSchedule = ScheduledDate & {
  /** Days since the date. */
  daysLate: number;
  /** Whether this payment to another bank may have been sent before a restore that removed it from the books. */
  mayBePaid: boolean;
};

const dueColumns = sql`s.id, s.next_date::text AS date, s.customer_id AS "customerId", s.bank_name AS "bankName",
  s.account_name AS "accountName", s.account_number AS "accountNumber", s.amount, s.description`;

/**
 * Locks the next schedules that are due, oldest date first, except schedules that another process has locked. `failed`: ids of
 * schedules to leave out. `at`: the time to run them for; null: the database's clock.
 */
export async function lockDueSchedules(
  tx: Tx,
  { most, failed }: { most: number; failed: readonly string[] },
  at: Date | null,
): Promise<DueSchedule[]> {
  const found = await sql<DueSchedule>`
    SELECT ${dueColumns}, ${localTime(at)}::date - s.next_date AS "daysLate",
           s.bank_name <> '' AND coalesce((
             SELECT s.created_at < restored_at
                AND (s.next_date + make_interval(hours => ${scheduled.runHour})) AT TIME ZONE 'America/New_York' < restored_at
               FROM bank_state), false) AS "mayBePaid"
      FROM scheduled_transfers s
     WHERE s.id <> ALL (${failed}::uuid[]) AND s.next_date <= ${runningDate(at)} AND NOT s.is_paused
       AND ${isRetryDue('s.retry_at', at)}
     ORDER BY s.next_date, s.id LIMIT ${most} FOR NO KEY UPDATE SKIP LOCKED`.execute(tx);
  return found.rows;
}

/**
 * Postpones locked schedules to the next retry hour, because their accounts have too little money. Returns the ids of
 * the schedules that have no retry hour left today.
 */
export async function postponeSchedules(tx: Tx, ids: readonly string[], at: Date | null): Promise<string[]> {
  if (ids.length === 0) return [];
  const next = nextRetry(at);
  const postponed = await sql<{ id: string }>`
    UPDATE scheduled_transfers SET retry_at = ${next} WHERE id = ANY (${ids}::uuid[]) AND ${next} IS NOT NULL
    RETURNING id`.execute(tx);
  const done = new Set(postponed.rows.map(({ id }) => id));
  return ids.filter(id => !done.has(id));
}
