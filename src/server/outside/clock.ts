/**
 * What time it is, as a part that tests can replace. Rules that guard money or logins ask the database's clock instead,
 * so that all nodes agree.
 */

export type Clock = { now(): Date };

/** The machine's own clock. */
export const systemClock: Clock = { now: () => new Date() };
