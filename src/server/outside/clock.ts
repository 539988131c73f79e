/**
 * The current time, replaceable in tests. Rules that guard money or logins use the database's clock instead, so that all
 * processes agree.
 */

export type Clock = { now(): Date };

/** The system clock. */
export const systemClock: Clock = { now: () => new Date() };
