/**
 * When schedules and rules of savings goals run, as SQL: in New York time, from `scheduled.runHour` on, and again at
 * `scheduled.retryHours`. `at`: the time to run them for; null: the database's clock.
 */
import { sql } from 'kysely';
import { scheduled } from '#contract/constants.ts';

/** `at`, or the time of the database. */
const momentOf = (at: Date | null) => sql`coalesce(${at}::timestamptz, now())`;

/** The local time in New York. */
export const localTime = (at: Date | null) => sql`(${momentOf(at)} AT TIME ZONE 'America/New_York')`;

/** The newest date whose schedules and rules are due. */
export const runningDate = (at: Date | null) =>
  sql`(${localTime(at)} - make_interval(hours => ${scheduled.runHour}))::date`;

/**
 * Whether what is due can run now: no retry is stored, or its time has come. `retryAt`: a column. A retry is always less than a
 * day away. A later time was stored by a clock that was ahead, and is ignored.
 */
export const isRetryDue = (retryAt: string, at: Date | null) => sql`(
  ${sql.ref(retryAt)} IS NULL OR ${sql.ref(retryAt)} <= ${momentOf(at)} OR ${sql.ref(retryAt)} > ${momentOf(at)} + interval '1 day')`;

/** The next retry hour of the day; null if none is left. */
export const nextRetry = (at: Date | null) => sql`(
  SELECT min(t) FROM unnest(${scheduled.retryHours}::int[]) h,
         LATERAL (SELECT (${localTime(at)}::date + make_interval(hours => h)) AT TIME ZONE 'America/New_York' AS t) u
   WHERE t > ${momentOf(at)})`;

/**
 * The index at which the paused schedule `s`, whose `next_date` has passed, continues: that of its first date that is today or
 * later, or if no such date is left, the index after that of its last date. Estimates the index from the days since
 * `next_date`, because trying every date took half a second for a customer's list.
 */
export const openIndex = sql`CASE s.frequency WHEN 'once' THEN 1 ELSE least(s.max_count, (
  SELECT min(i)
    FROM (VALUES ('weekly', 7, 7), ('biweekly', 14, 14), ('monthly', 28, 31), ('yearly', 365, 366))
         AS period(frequency, shortest, longest),
         LATERAL (SELECT least(bank_day(now()), s.end_date + 1) - s.next_date AS days) AS since,
         generate_series(s.next_index + days / longest, s.next_index + days / shortest + 1) i
   WHERE period.frequency = s.frequency AND scheduled_date(s.start_date, s.frequency, i) >= s.next_date + days)) END`;
