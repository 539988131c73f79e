/**
 * One attempt at a time per login, so that parallel right passwords do not spend each other's attempts, and a flood of
 * guesses at one login holds one connection and not all of them. What guards the counts is the database.
 */
import { Refusal } from '#contract/errors.ts';

const mostWaitingPerKey = 120;
const queues = new Map<string, { last: Promise<unknown>; length: number }>();

/** Does `work` after everything asked before under the same `key`. Refuses `BUSY` where too many wait already. */
export async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(key) ?? { last: Promise.resolve(), length: 0 };
  if (queue.length > mostWaitingPerKey) throw new Refusal('BUSY', { waitTime: 1 });
  queues.set(key, queue);
  queue.length++;
  const mine = queue.last.then(work);
  queue.last = mine.catch(() => {});
  try {
    return await mine;
  } finally {
    queue.length--;
    if (queue.length === 0) queues.delete(key);
  }
}
