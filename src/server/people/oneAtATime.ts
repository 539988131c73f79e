/**
 * Runs one attempt at a time per login. So parallel correct passwords do not use up each other's attempts, and a flood of
 * guesses at one login uses one connection instead of all. The counts themselves are protected by the database.
 */
import { networkGroup } from '../base/addressGroup.ts';
import { limitConcurrencyByKey } from '../base/concurrency.ts';

const limited = limitConcurrencyByKey({ maxRunning: 1, maxWaiting: 120, waitTime: 1 });

/**
 * Runs one call per key at a time, fairly between the networks that the calls come from. Rejects with `BUSY` if 120 calls for
 * the key are already waiting.
 */
export const oneAtATime = <T>(key: string, address: string, work: () => Promise<T>): Promise<T> =>
  limited(key, work, { group: networkGroup(address) });
