/** Scheduled transfers: what customers scheduled, and what happened on each date. The job that runs them is in `jobs`. */
import { sql } from 'kysely';
import { scheduled } from '#contract/constants.ts';
import { invalidField, Refusal } from '#contract/errors.ts';
import { fill } from '#contract/messages/fill.ts';
import * as scheduledMessages from '#contract/messages/scheduled.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import type {
  DecodedScheduledTransfer,
  FailureReason,
  Frequency,
  ScheduledChange,
} from '#contract/scheduled.ts';
import { newId } from '../base/uuid.ts';
import type { Reader, Tx } from '../db/database.ts';
import { findReceiver } from './customerLists.ts';
import { findMade, type InsertKey, lockOwner, type Owner } from './keyedInserts.ts';
import { isRetryDue, localTime, nextRetry, runningDate } from './runTimes.ts';

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

/** As text, this date sorts after every other date. */
const forever = '9999-12-31';

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

/** Locks a schedule until the transaction ends. Refuses `NOT_FOUND` if this customer has no such schedule. */
export async function lockSchedule(tx: Tx, accountId: bigint, id: string): Promise<LockedSchedule> {
  const found = await sql<LockedSchedule>`
    SELECT amount, start_date::text AS "startDate", frequency, end_date::text AS "endDate", max_count AS count,
           is_paused AS "isPaused", next_index AS "nextIndex", next_date::text AS "nextDate", bank_day(now())::text AS today
      FROM scheduled_transfers WHERE account_id = ${accountId} AND id = ${id} AND deleted_at IS NULL
       FOR NO KEY UPDATE`.execute(tx);
  if (!found.rows[0]) throw new Refusal('NOT_FOUND', { message: scheduledMessages.gone });
  return found.rows[0];
}

/**
 * Changes a schedule. A new first date or frequency starts the dates over; a new first date also brings back skipped dates.
 * Resuming continues with the first date that is today or later. Returns whether the schedule is resumed, and whether it sends
 * more than before: a higher amount, or other, earlier or more dates. A change that ends the schedule does not change its
 * amount: the customer can still send a missed date, and confirmed the former amount.
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
  const startsOver = change.startDate !== undefined || change.frequency !== undefined;
  const startDate = change.startDate ?? (startsOver ? was.nextDate : was.startDate);
  const frequency = change.frequency ?? was.frequency;
  const endDate = change.endDate === undefined ? was.endDate : change.endDate;
  const isPaused = change.isPaused ?? was.isPaused;
  if (endDate !== null && endDate < startDate) throw invalidField('endDate', scheduledMessages.endDate);
  if (change.startDate !== undefined) {
    await sql`
      DELETE FROM scheduled_runs
       WHERE schedule_id = ${id} AND date >= ${change.startDate} AND result = 'skipped'`.execute(tx);
    const done = await sql`
      SELECT FROM scheduled_runs WHERE schedule_id = ${id} AND date = ${change.startDate}`.execute(tx);
    if (done.rows.length > 0) throw invalidField('startDate', scheduledMessages.startDone);
  }
  const left = was.count === null ? null : was.count - was.nextIndex;
  const count = change.count === undefined ? (startsOver ? left : was.count) : change.count;
  const from = startsOver ? 0 : was.nextIndex;
  const [resumes, last] = [was.isPaused && !isPaused, from + scheduled.maxCount * 3];
  await sql`
    UPDATE scheduled_transfers
       SET amount = CASE WHEN n.date IS NULL THEN amount ELSE ${change.amount ?? was.amount} END,
           description = coalesce(${change.description ?? null}, description), start_date = ${startDate}, frequency = ${frequency}, end_date = ${endDate}, max_count = ${count},
           is_paused = ${isPaused}, retry_at = CASE WHEN ${startsOver || isPaused} THEN NULL ELSE retry_at END,
           next_index = n.index, next_date = n.date
      FROM (SELECT index, scheduled_date_within(${startDate}, ${frequency}, index, ${endDate}, ${count}) AS date FROM (
            SELECT CASE WHEN ${resumes} THEN coalesce(min(i), ${last} + 1) ELSE ${from} END AS index
              FROM generate_series(${from}::int, ${last}::int) i
             -- For a single transfer, scheduled_date is null.
             WHERE coalesce(scheduled_date(${startDate}, ${frequency}, i), ${startDate}) >= bank_day(now())) i) n
     WHERE id = ${id}`.execute(tx);
  const sendsMore =
    (change.amount ?? was.amount) > was.amount ||
    frequency !== was.frequency ||
    (startsOver && startDate < was.nextDate) ||
    (endDate ?? forever) > (was.endDate ?? forever) ||
    (count ?? Number.POSITIVE_INFINITY) - from > (left ?? Number.POSITIVE_INFINITY);
  return { sendsMore, resumes };
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
 * Locks a date that the bank missed and returns the data to pay it. Refuses `NOT_FOUND` if this customer has no such schedule,
 * and `CONFLICT` if the bank did not miss the date.
 */
export async function lockMissed(
  tx: Tx,
  accountId: bigint,
  id: string,
  date: string,
): Promise<ScheduledDate> {
  await lockSchedule(tx, accountId, id);
  const found = await sql<ScheduledDate>`
    SELECT ${dueColumns} FROM scheduled_runs r JOIN scheduled_transfers s ON s.id = r.schedule_id
     WHERE r.schedule_id = ${id} AND r.date = ${date} AND r.result = 'missed'`.execute(tx);
  if (!found.rows[0]) throw new Refusal('CONFLICT', { message: scheduledMessages.notMissed });
  return { ...found.rows[0], date };
}

/** Records what the customer decided about a missed date. */
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
    UPDATE scheduled_runs SET result = ${transactionId ? 'sent' : 'skipped'}, transaction_id = ${transactionId},
           amount = ${amount}, at = now()
     WHERE schedule_id = ${id} AND date = ${date} AND result = 'missed'`.execute(tx);
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

const mostListed = 500;

type Row = {
  id: string;
  bank_name: string;
  name: string | null;
  account_number: string;
  amount: bigint;
  description: string;
  start_date: string;
  frequency: Frequency;
  end_date: string | null;
  max_count: number | null;
  next_index: number;
  is_paused: boolean;
  is_frozen: boolean;
  next_dates: string[];
  retry_at: Date | null;
  created_at: Date;
  missed: string[];
  last_date: string | null;
  result: 'sent' | 'failed' | 'skipped' | null;
  reason: FailureReason | null;
  transaction_id: string | null;
};

/**
 * The customer's scheduled transfers, the next date first and ended ones last; or only the one with this id, even if deleted. A
 * transfer to a closed account is shown as ended. The job ends it only on its next date, and then notifies the customer.
 */
export async function readSchedules(
  reader: Reader,
  accountId: bigint,
  id?: string,
): Promise<DecodedScheduledTransfer[]> {
  const found = await sql<Row>`
    SELECT s.id, s.bank_name, s.account_number, s.amount, s.description, s.start_date::text, s.frequency, s.end_date::text,
           s.max_count, s.next_index, s.is_paused, o.is_frozen, s.retry_at, s.created_at,
           CASE WHEN s.bank_name <> '' THEN s.account_name ELSE concat_ws(' ', c.first_name, c.last_name) END AS name,
           ARRAY(SELECT d::text FROM generate_series(s.next_index, s.next_index + 2) i,
                        LATERAL scheduled_date_within(s.start_date, s.frequency, i, s.end_date, s.max_count) d
                  WHERE s.next_date IS NOT NULL AND a.is_closed IS NOT TRUE AND d IS NOT NULL ORDER BY i) AS next_dates,
           ARRAY(SELECT r.date::text FROM scheduled_runs r
                  WHERE r.schedule_id = s.id AND r.result = 'missed' ORDER BY r.date DESC LIMIT 10) AS missed,
           l.date::text AS last_date, l.result, l.reason, l.transaction_id
      FROM scheduled_transfers s
      JOIN ledger_accounts o ON o.id = s.account_id
      LEFT JOIN ledger_accounts a ON s.bank_name = '' AND a.number = s.account_number
      LEFT JOIN customers c ON c.account_id = a.id AND c.deleted_at IS NULL
      LEFT JOIN LATERAL (SELECT * FROM scheduled_runs r WHERE r.schedule_id = s.id AND r.result <> 'missed'
                          ORDER BY r.date DESC LIMIT 1) l ON true
     WHERE s.account_id = ${accountId}
       AND CASE WHEN ${id ?? null}::uuid IS NULL THEN s.deleted_at IS NULL ELSE s.id = ${id ?? null} END
     ORDER BY a.is_closed IS TRUE, s.next_date NULLS LAST, s.id DESC LIMIT ${mostListed}`.execute(reader);
  return found.rows.map(row => ({
    _id: row.id,
    kind: row.bank_name === '' ? ('internal' as const) : ('external' as const),
    name: row.name || transactionsMessages.closedAccount,
    accountNumber: row.account_number,
    ...(row.bank_name !== '' && { bankName: row.bank_name }),
    amount: row.amount,
    description: row.description,
    startDate: row.start_date,
    frequency: row.frequency,
    ...(row.end_date !== null && { endDate: row.end_date }),
    ...(row.max_count !== null && { count: row.max_count }),
    datesPast: row.next_index,
    status: row.next_dates.length === 0 ? 'ended' : row.is_paused || row.is_frozen ? 'paused' : 'active',
    nextDate: row.next_dates[0] ?? null,
    nextDates: row.next_dates,
    ...(row.retry_at && { retriesAt: row.retry_at }),
    ...(row.result !== null && {
      lastRun: {
        date: row.last_date!,
        result: row.result,
        ...(row.reason !== null && { reason: row.reason }),
        ...(row.transaction_id !== null && { transactionId: row.transaction_id }),
      },
    }),
    missed: row.missed,
    createdAt: row.created_at,
  }));
}

/** One scheduled transfer, even if it was deleted. Refuses `NOT_FOUND` if this customer never had such a schedule. */
export async function readSchedule(
  reader: Reader,
  accountId: bigint,
  id: string,
): Promise<DecodedScheduledTransfer> {
  const [schedule] = await readSchedules(reader, accountId, id);
  if (!schedule) throw new Refusal('NOT_FOUND');
  return schedule;
}
