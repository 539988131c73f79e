/** What waits in the database, and since when, for `GET /metrics`: one query whose cost does not grow with the bank. */
import { sql } from 'kysely';
import type pg from 'pg';
import { Gauge } from 'prom-client';
import { scheduled } from '#contract/constants.ts';
import type { Reader } from '../db/database.ts';
import { mailPriorities, periodicAttempts } from './queue.ts';

/** Counting stops here: a backlog this long raises an alert, and a longer one would raise the same alert. */
const mostCounted = 100_000;
const recently = "interval '1 hour'";
const runTime = `make_interval(hours => ${scheduled.runHour})`;

const countOf = (rows: string) => `(SELECT count(*) FROM (SELECT ${rows} LIMIT ${mostCounted}) n)`;
const secondsSince = (time: string) => `coalesce(greatest(extract(epoch FROM now() - (${time})), 0), 0)`;
/**
 * All priorities: of mails, of `enqueue_job` and of `enqueue_payment_jobs`. The index of available jobs is ordered by priority,
 * then by time. So a query that lists the priorities skips the jobs of the future: a large bank has hundreds of thousands of
 * payments that wait for a later day.
 */
const priorities = `${Object.values(mailPriorities).join()}, 0, 10`;
const isDue = `is_available AND priority IN (${priorities}) AND run_at <= now()`;
const running = 'FROM graphile_worker._private_jobs WHERE locked_at IS NOT NULL';
/**
 * The jobs that can be late. A job whose queue is locked waits for another job, which may take hours, so it does not count.
 * Jobs of the queue `short` always count, because that queue is never locked for long.
 */
const couldRun = `(job_queue_id IS NULL OR job_queue_id IN (
  SELECT id FROM graphile_worker._private_job_queues WHERE is_available OR queue_name = 'short'))`;
/** Tasks whose jobs always have a key when they are enqueued, apart from payments and periodic tasks. */
const keyed = "'finish-erasures', 'end-requests', 'export-data', 'screen-customers', 'alert-guesses'";
/** When the job that has waited longest was due: one index lookup for each priority. */
const oldestDue = `SELECT min(run_at) FROM unnest('{${priorities}}'::smallint[]) AS p(priority), LATERAL (
  SELECT j.run_at FROM graphile_worker._private_jobs j
   WHERE is_available AND j.priority = p.priority AND j.run_at <= now() AND ${couldRun}
   ORDER BY j.run_at LIMIT 1) oldest`;
/**
 * The time at which the longest overdue schedule or rule should have run (`people/runTimes.ts`). `rows`: `FROM … WHERE`, to
 * which a condition is appended.
 */
const oldestDate = (rows: string, date: string, retryAt: string) => `(
  SELECT coalesce(CASE WHEN ${retryAt} <= now() THEN ${retryAt} END, (${date} + ${runTime}) AT TIME ZONE 'America/New_York') ${rows}
         ${date} <= ((now() AT TIME ZONE 'America/New_York') - ${runTime})::date
     AND (${retryAt} IS NULL OR ${retryAt} NOT BETWEEN now() AND now() + interval '1 day') ORDER BY ${date}, id LIMIT 1)`;
/** The arguments of `oldestDate`, by kind of work. */
const dates = {
  transfers: ['FROM scheduled_transfers WHERE NOT is_paused AND', 'next_date', 'retry_at'],
  goals: ['FROM goals WHERE', 'rule_date', 'rule_retry_at'],
} as const;
const acts = (action: string) =>
  `FROM audit_log WHERE action = '${action}' AND actor_kind IN ('customer', 'admin', 'system') AND at > now() - ${recently}`;

const gauges = {
  jobs_waiting: `${countOf(`FROM graphile_worker._private_jobs WHERE ${isDue}`)} + ${countOf(running)}`,
  jobs_oldest_seconds: secondsSince(oldestDue),
  // Counted from when the job was due. Its lock is renewed, so the time of the lock does not show how long the job has run.
  jobs_running_oldest_seconds: secondsSince(`SELECT min(run_at) ${running}`),
  // A newer job takes over the key of a running or failed job and sets its attempts to the maximum. The row of a failed job
  // remains, and that of a running one if it fails or its process dies. It is not counted: the newer job does the work.
  // 32767 is the maximum of a payment's job: failures alone never use up that many attempts.
  jobs_failed: countOf(
    `FROM graphile_worker.jobs WHERE attempts >= max_attempts AND locked_at IS NULL
      AND NOT (key IS NULL AND (max_attempts IN (${periodicAttempts}, 32767) OR task_identifier IN (${keyed})))`,
  ),
  transfer_mail_batches_waiting: countOf('FROM transfer_mails'),
  // Deferred mails do not count: the mailbox of a customer can be full for days. A deferred summary counts only from its new
  // `due_at` on.
  transfer_mails_oldest_seconds: secondsSince(
    `SELECT least((SELECT created_at FROM transfer_mails WHERE tries = 0 ORDER BY id LIMIT 1),
                  (SELECT min(due_at) FROM summary_mails WHERE due_at <= now()))`,
  ),
  schedules_oldest_seconds: secondsSince(
    `SELECT least(${oldestDate(...dates.transfers)}, ${oldestDate(...dates.goals)})`,
  ),
  external_pending: countOf("FROM external_transfers WHERE status = 'pending'"),
  // Counted from when the rail got the payment: before that, a freeze can delay the payment for any time.
  external_oldest_seconds: secondsSince(
    `SELECT submitted_at FROM external_transfers WHERE status = 'pending' AND submitted_at IS NOT NULL
      ORDER BY submitted_at LIMIT 1`,
  ),
  rail_files_unsent: countOf("FROM rail_files WHERE state = 'made'"),
  rail_files_unapplied: countOf("FROM rail_files WHERE state = 'read'"),
  rail_files_refused_last_hour: countOf(
    `FROM rail_files WHERE state = 'refused' AND made_at > now() - ${recently}`,
  ),
  rail_exceptions_open: countOf('FROM rail_exceptions WHERE resolved_at IS NULL'),
  rail_exceptions_failed: countOf("FROM rail_exceptions WHERE resolved_at IS NULL AND reason = 'failed'"),
  rail_exceptions_oldest_seconds: secondsSince(
    'SELECT at FROM rail_exceptions WHERE resolved_at IS NULL ORDER BY id LIMIT 1',
  ),
  audit_unsealed: countOf(
    'FROM audit_log WHERE id > coalesce((SELECT audit_id FROM audit_seals ORDER BY position DESC LIMIT 1), 0)',
  ),
  // The daily proof of the books; 0 if there has been none.
  last_verify_timestamp_seconds: '(SELECT coalesce(extract(epoch FROM verified_at), 0) FROM bank_state)',
  logins_failed_last_hour: countOf(acts('login.failed')),
  logins_locked_last_hour: countOf(acts('login.locked')),
} as const;

/**
 * The last time at which this process had tried everything that was due: scheduled transfers, or rules and round-ups of goals.
 * Those that failed count as tried: they are still due, and are reported as background failures.
 */
export const schedulesTried = new Gauge({
  name: 'larkspur_schedules_tried_timestamp_seconds',
  help: 'when everything that was due had been tried, even if some of it failed',
  labelNames: ['work'],
  registers: [],
  aggregator: 'max',
});

/**
 * Call it when there is nothing more to lock. Sets `schedulesTried`, unless a scheduled transfer or a rule that did not fail is
 * still due: then another session has locked it. If that session belongs to a process of this bank, that process sets its own
 * gauge when it is done. Round-ups are not checked: a missed one moves less than a dollar per transfer, and the next run
 * includes it.
 */
export async function recordTried(reader: Reader, work: keyof typeof dates, failed: string[]): Promise<void> {
  const [rows, date, retryAt] = dates[work];
  const others = `${rows} id <> ALL ('{${failed.join()}}') AND`;
  const oldest = sql.raw(oldestDate(others, date, retryAt));
  const left = await sql<{ due: Date | null }>`SELECT ${oldest} AS due`.execute(reader);
  if (!left.rows[0]!.due) schedulesTried.setToCurrentTime({ work });
}

/** Sent without a name: for a prepared statement, a connection would keep a plan made for nearly empty tables. */
const query = `SELECT ${Object.entries(gauges)
  .map(([name, value]) => `(${value})::float8 AS ${name}`)
  .join(', ')}`;

/** Reads all gauges. Returns their values by name. */
export async function readBacklog(pool: pg.Pool): Promise<Record<string, number>> {
  return (await pool.query<Record<string, number>>(query)).rows[0]!;
}
