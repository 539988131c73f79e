/**
 * Corrects times that the database's clock stored while it was ahead. After a failed attempt, work waits for a time. With a time
 * that is days ahead, it would wait for days, and no metric would show it, because it is not due.
 */
import { session } from '#contract/constants.ts';
import type { Parts } from '../parts.ts';
import { longestRetry } from './payments.ts';
import { mailPriorities } from './queue.ts';

/** `rows`: a condition. `set`: the column that is set to the present time; `time` by default. */
type Correction = { table: string; time: string; longestWait: string; rows?: string; set?: string };

/** Each query reads an index in the order of `time`, and only its rows after `longestWait`. */
const corrections: readonly Correction[] = [
  // The index of jobs is ordered by priority, then by time. Payments have priority 10: `resumePayments` corrects them.
  ...[...Object.values(mailPriorities), 0].map(priority => ({
    table: 'graphile_worker._private_jobs',
    time: 'run_at',
    longestWait: longestRetry,
    // Without an attempt, a job may wait for days, such as the removal of a person's second factors.
    rows: `is_available AND priority = ${priority} AND (attempts > 0 OR run_at <= created_at + ${longestRetry})`,
  })),
  { table: 'transfer_mails', time: 'due_at', longestWait: "interval '2 hours'" },
  { table: 'pushes', time: 'due_at', longestWait: "interval '3 hours'" },
  // A daily summary waits for the next morning.
  { table: 'summary_mails', time: 'due_at', longestWait: "interval '26 hours'" },
  // These sessions are not live (0037_jumped_sessions.sql). If they did not end, they would be live again on their day.
  {
    table: 'sessions',
    time: 'expires_at',
    longestWait: `interval '${session.lifeSeconds + 15 * 60} seconds'`,
    rows: 'ended_at IS NULL',
    set: 'ended_at',
  },
];

const batchSize = 1_000;

/**
 * Makes work due that waits longer than it ever should, and ends sessions that would last longer. Must not be called while the
 * database's clock is ahead. Running it again changes nothing.
 */
export async function correctStoredTimes(
  { database, log }: Pick<Parts, 'database' | 'log'>,
  signal?: AbortSignal,
): Promise<void> {
  for (const { table, time, longestWait, rows = 'true', set = time } of corrections) {
    let corrected = 0;
    for (let count = batchSize; count === batchSize && !signal?.aborted; corrected += count) {
      const { rowCount } = await database.pool.query(
        // The mails of a held bank wait until 'infinity'.
        `UPDATE ${table} SET ${set} = now() WHERE ctid = ANY (ARRAY(
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
