/**
 * Notices that the database's clock jumped ahead while this process runs. Jobs whose work cannot be undone check this first.
 * With a clock that is days ahead, statements of the current month would be sealed, and payments of the next days sent.
 */
import os from 'node:os';
import { sql } from 'kysely';
import type { Parts } from '../parts.ts';

/** A failover to a machine with another clock, or the correction of a clock that drifted, changes the time by less. */
const toleranceMs = 15 * 60_000;
/**
 * After this time, a different clock counts as right, because a virtual machine that was paused must not stop the work for
 * good. Long enough for a person to act, and short enough that what is due at 6 AM is still paid that day.
 */
const acceptedAfterMs = 6 * 60 * 60_000;
const logEveryMs = 10 * 60_000;

/**
 * Compares the database's clock, at the start of the server, with this machine's clock and with the newest audit record. Logs a
 * difference and stops nothing, because either clock may be the wrong one.
 */
export async function checkClocks({ database, log }: Pick<Parts, 'database' | 'log'>): Promise<void> {
  const found = await sql<{ now: Date; newest: Date | null }>`
    SELECT clock_timestamp() AS now, (SELECT at FROM audit_log ORDER BY id DESC LIMIT 1) AS newest`.execute(
    database.reader,
  );
  const { now, newest } = found.rows[0]!;
  const ahead = now.getTime() - Date.now();
  const behind = (newest?.getTime() ?? 0) - now.getTime();
  if (Math.abs(ahead) <= toleranceMs && behind <= toleranceMs) return;
  log.error(
    { databaseTime: now, minutesAhead: Math.round(ahead / 60_000), newestRecord: newest },
    seemsWrong,
  );
}

export const seemsWrong =
  'the clock of the database or of this server seems wrong: they differ, or the newest audit record is in the future';

/** Resolves to the database's time; undefined while its clock is ahead. */
export type DatabaseClock = () => Promise<Date | undefined>;

export function watchDatabaseClock({ database, log }: Pick<Parts, 'database' | 'log'>): DatabaseClock {
  const isRight = compareWithUptime(log);
  return async () => {
    const found = await sql<{ now: Date }>`SELECT clock_timestamp() AS now`.execute(database.reader);
    const { now } = found.rows[0]!;
    return isRight(now) ? now : undefined;
  };
}

/**
 * Returns a function that says whether a time of the database is right, or at least not ahead, compared with the uptime of this
 * machine. The first time counts as right, so a restart accepts any clock (but see `checkClocks`). The uptime also runs while a
 * laptop sleeps, unlike `performance.now()`.
 */
export function compareWithUptime(log: Pick<Parts['log'], 'error' | 'warn'>): (now: Date) => boolean {
  /** The database's time minus the uptime, when it was last right. */
  let right: number | undefined;
  let wrong: { since: number; isAhead: boolean } | undefined;
  let loggedAt: number | undefined;
  return now => {
    const uptime = os.uptime() * 1000;
    const offset = now.getTime() - uptime;
    const ahead = offset - (right ?? offset);
    if (Math.abs(ahead) <= toleranceMs) wrong = undefined;
    // The six hours start again when a clock that was behind jumps ahead.
    else if (wrong?.isAhead !== ahead > 0) wrong = { since: uptime, isAhead: ahead > 0 };
    if (wrong === undefined || uptime - wrong.since >= acceptedAfterMs) {
      right = offset;
      wrong = undefined;
    } else if (ahead > 0) {
      if (loggedAt === undefined || uptime - loggedAt >= logEveryMs) {
        loggedAt = uptime;
        log.error({ minutes: Math.round(ahead / 60_000) }, jumpedAhead);
      }
      return false;
    }
    // A clock that was set back stops nothing. It does not change `right` for six hours: otherwise the correction of that clock
    // would look like a jump ahead.
    if (loggedAt !== undefined) log.warn('the work that waited for the database’s clock continues');
    loggedAt = undefined;
    return true;
  };
}

/** The error of every job that waits for the clock begins with this; `resumePayments` finds such jobs by it. */
export const clockJumped = 'the database’s clock jumped ahead';
export const jumpedAhead = `${clockJumped}: scheduled transfers and their reminders, rules of savings goals, statements, removals of second factors, the nightly proof, the clean-up and submissions to the payment rail wait until the clock is right or this server is restarted, for six hours at most`;
