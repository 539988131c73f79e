/**
 * One attempt at a time per login, so that parallel right passwords do not spend each other's attempts, and a flood of
 * guesses at one login holds one connection and not all of them. What guards the counts is the database.
 */
import { openKeyedQueue } from '#server/base/concurrency.ts';

/** Does work after everything asked before under the same key. Refuses `BUSY` where too many wait already. */
export const oneAtATime = openKeyedQueue({ mostAtOnce: 1, mostWaiting: 120, waitTime: 1 });
