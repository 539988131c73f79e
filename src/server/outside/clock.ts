/**
 * The current time, replaceable in tests. Rules that guard money or logins use the database's clock instead, so that all
 * processes agree.
 */

export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
