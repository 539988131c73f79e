/**
 * Keeps periodic tasks running after the clock of a process was wrong. The queue's library decides by the process's clock when
 * a task is due, and stores that time in the database, so that no other process runs the task again. If the clock was days
 * ahead, no process would run the task until the stored time has passed.
 */
import type pg from 'pg';

/** Clocks of servers may differ by a minute; this is twice as much. */
const toleranceMs = 120_000;

/** Sets the stored times of these tasks to the database's present time if they are later by more than the tolerance. */
export async function correctPeriodicTimes(pool: pg.Pool, tasks: readonly string[]): Promise<void> {
  await pool.query(
    `WITH limits AS (SELECT now() + make_interval(secs => $2) AS latest),
     corrected AS (
       UPDATE graphile_worker._private_known_crontabs SET last_execution = now() FROM limits
        WHERE identifier = ANY ($1) AND last_execution > limits.latest)
     UPDATE graphile_worker._private_jobs SET run_at = now() FROM limits
      WHERE key = ANY ($1) AND run_at > limits.latest AND attempts = 0 AND locked_at IS NULL`,
    [tasks, toleranceMs / 1000],
  );
}

/** Returns a function that says whether the clock of this process was set back since an earlier call. */
export function watchClock(): () => boolean {
  // The time at which the process started. It changes only if the clock is set.
  const origin = () => Date.now() - performance.now();
  let latest = origin();
  return () => {
    const now = origin();
    const isSetBack = now < latest - toleranceMs;
    latest = isSetBack ? now : Math.max(latest, now);
    return isSetBack;
  };
}
