/**
 * Corrects times that the database stored while its clock was ahead. After a failed attempt, work waits until a stored time. If
 * that time is days ahead, the work would wait for days, and no metric would show it, because it is not due.
 */
import { session } from '#contract/constants.ts';
import type { Parts } from '../parts.ts';
import { longestRetry } from './payments.ts';
import { mailPriorities } from './queue.ts';

/** `rows`: a condition. `set`: what is set; by default, `time` to the present time. */
type Correction = { table: string; time: string; longestWait: string; rows?: string; set?: string };

/** Each query reads an index in the order of `time`, and only its rows after `longestWait`, except the query of copies. */
const corrections: readonly Correction[] = [
  // The index of jobs is ordered by priority, then by time. Payments have priority 10: `resumePayments` corrects them.
  ...[...Object.values(mailPriorities), 0].map(priority => ({
    table: 'graphile_worker._private_jobs',
    time: 'run_at',
    longestWait: longestRetry,
    // Without an attempt, a job may wait for days, such as the removal of a person's second factors.
    rows: `is_available AND priority = ${priority} AND (attempts > 0 OR run_at <= created_at + ${longestRetry})`,
  })),
  // Copies of all data have the priority of payments, of which there can be hundreds of thousands, so these jobs are read by
  // key.
  {
    table: 'graphile_worker._private_jobs',
    time: 'run_at',
    longestWait: longestRetry,
    rows: `is_available AND key = ANY (ARRAY(SELECT 'export-data:' || id FROM export_jobs WHERE ready_at IS NULL))`,
  },
  { table: 'transfer_mails', time: 'due_at', longestWait: "interval '2 hours'" },
  { table: 'pushes', time: 'due_at', longestWait: "interval '3 hours'" },
  // A daily summary waits for the next morning.
  { table: 'summary_mails', time: 'due_at', longestWait: "interval '26 hours'" },
  // A session opened while the clock was ahead is not live now (0037_jumped_sessions.sql), but would be live on the day that
  // the clock had shown, so it ends. Ended sessions expire, too: otherwise every run would read them again until that day.
  {
    table: 'sessions',
    time: 'expires_at',
    longestWait: `interval '${session.lifeSeconds + 15 * 60} seconds'`,
    set: 'ended_at = coalesce(ended_at, now()), expires_at = now()',
  },
];

/** A line waits for the next cut-off at most. The hour is for lines that are added while this runs, after a cut-off. */
const ofRail = (rail: Parts['rail'], now: Date): Correction => ({
  table: 'rail_outgoing',
  time: 'due_at',
  longestWait: `('${rail.cutOff(new Date(now.getTime() + 3_600_000)).toISOString()}'::timestamptz - now())`,
  rows: 'file_id IS NULL',
});

const batchSize = 1_000;

/**
 * Makes work due that waits longer than it ever should, and ends sessions that would last longer. Must not be called while the
 * database's clock is ahead. Running it again changes nothing. `now`: the time of the database.
 */
export async function correctStoredTimes(
  { database, log, rail }: Pick<Parts, 'database' | 'log' | 'rail'>,
  now: Date,
  signal?: AbortSignal,
): Promise<void> {
  for (const correction of [...corrections, ofRail(rail, now)]) {
    const { table, time, longestWait, rows = 'true', set = `${time} = now()` } = correction;
    let corrected = 0;
    for (let count = batchSize; count === batchSize && !signal?.aborted; corrected += count) {
      const { rowCount } = await database.pool.query(
        // The mails of a held bank wait until 'infinity'.
        `UPDATE ${table} SET ${set} WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM ${table} WHERE ${rows} AND ${time} > now() + ${longestWait} AND ${time} < 'infinity'
            ORDER BY ${time} LIMIT $1 FOR UPDATE SKIP LOCKED))`,
        [batchSize],
      );
      count = rowCount ?? 0;
    }
    if (corrected > 0) log.warn({ table, rows: corrected }, correctedTimes);
  }
}

export const correctedTimes = 'times were corrected that had been stored while the clock was ahead';
