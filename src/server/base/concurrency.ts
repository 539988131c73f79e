/** Concurrency limits for expensive work: a number of running calls, a bounded queue, and `BUSY` for the rest. */
import { Refusal } from '#contract/errors.ts';

type ConcurrencyOptions = {
  /** Calls that run at a time. */
  maxRunning: number;
  /** Calls that may wait for a slot. */
  maxWaiting: number;
  /** Seconds that a refused caller should wait before the next attempt. */
  waitTime: number;
};

/**
 * Limits how many calls run at a time. The rest wait in a queue, first in, first out.
 * @returns a function that runs `work` in a slot, synchronously if one is free, and settles as `work` does; it rejects with
 * `BUSY` if the queue is full
 */
export function limitConcurrency({
  maxRunning,
  maxWaiting,
  waitTime,
}: ConcurrencyOptions): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async work => {
    if (running < maxRunning) running++;
    else if (waiting.length >= maxWaiting) throw new Refusal('BUSY', { waitTime });
    // A finished call passes its slot on directly, so no new call can take it in between.
    else await new Promise<void>(resolve => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

/** Runs work within the limit of its key; keys do not wait for each other. */
export type KeyedLimiter = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** `limitConcurrency` per key: each key has its own slots and queue, stored only while in use. */
export function limitConcurrencyByKey(options: ConcurrencyOptions): KeyedLimiter {
  const limiters = new Map<string, { run: ReturnType<typeof limitConcurrency>; calls: number }>();
  return async (key, work) => {
    const limiter = limiters.get(key) ?? { run: limitConcurrency(options), calls: 0 };
    limiters.set(key, limiter);
    limiter.calls++;
    try {
      return await limiter.run(work);
    } finally {
      limiter.calls--;
      if (limiter.calls === 0) limiters.delete(key);
    }
  };
}
