/**
 * Conditions on times that the database's clock has stored. If that clock was days ahead, such times stay days ahead when it is
 * right again. So each condition has an upper limit, too: otherwise, such a time would lock a person out until its day, or keep
 * a code valid until then. Conditions that protect, such as a wait after a password reset, have no upper limit.
 */
import { type RawBuilder, sql } from 'kysely';

/** A time later than this was stored by a clock that was ahead. A failover to another machine can set the clock back a bit. */
const toleranceSeconds = 120;

const inSeconds = (seconds: number) => sql`now() + make_interval(secs => ${seconds})`;

/** Whether something happened in the last `seconds`. `at`: when it did. */
export const isRecent = (at: RawBuilder<unknown>, seconds: number): RawBuilder<boolean> =>
  sql<boolean>`(${at} > ${inSeconds(-seconds)} AND ${at} <= ${inSeconds(toleranceSeconds)})`;

/** Whether something that lasts `seconds` has not ended. `end`: when it ends. */
export const isRunning = (end: RawBuilder<unknown>, seconds: number): RawBuilder<boolean> =>
  sql<boolean>`(${end} > now() AND ${end} <= ${inSeconds(seconds + toleranceSeconds)})`;
