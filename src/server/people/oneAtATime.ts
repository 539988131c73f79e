/**
 * Runs one attempt at a time per login. So parallel correct passwords do not use up each other's attempts, and a flood of
 * guesses at one login uses one connection instead of all. The counts themselves are protected by the database.
 */
import { limitConcurrencyByKey } from '../base/concurrency.ts';

/** Runs one call per key at a time, fairly between groups. Rejects with `BUSY` if 120 calls are already waiting. */
export const oneAtATime = limitConcurrencyByKey({ maxRunning: 1, maxWaiting: 120, waitTime: 1 });
