/** Concurrency limits for expensive work: a number of running calls, a bounded queue, and `BUSY` for the rest. */
import { Refusal } from '#contract/errors.ts';

type ConcurrencyOptions = {
  /** Calls that run at a time. */
  maxRunning: number;
  /** Calls that may wait for a slot; trusted calls have as many places of their own. */
  maxWaiting: number;
  /** Seconds that a refused caller should wait before the next attempt. */
  waitTime: number;
};

/**
 * Where a call comes from. Groups are served round-robin, so a group that floods the queue delays mostly itself. While both
 * trusted and other calls wait, slots alternate between them. Default: one group, not trusted.
 */
export type CallSource = { group?: string | undefined; isTrusted?: boolean };

/** Runs work within a limit. */
export type Limiter = <T>(work: () => Promise<T>, source?: CallSource) => Promise<T>;

/**
 * Limits how many calls run at a time. The rest wait in a queue, within a group first in, first out.
 * @returns a function that runs `work` in a slot, synchronously if one is free, and settles as `work` does; it rejects with
 * `BUSY` if the queue is full. If a call of a smaller group finds the queue full, the newest call of the largest group is
 * rejected instead.
 */
export function limitConcurrency({ maxRunning, maxWaiting, waitTime }: ConcurrencyOptions): Limiter {
  let running = 0;
  const [trusted, others] = [openFairQueue(maxWaiting), openFairQueue(maxWaiting)];
  let order = [trusted, others];
  const next = () => {
    const from = order.find(queue => queue.size() > 0);
    if (from) order = from === trusted ? [others, trusted] : [trusted, others];
    return from?.take();
  };
  return async (work, { group = '', isTrusted = false } = {}) => {
    if (running < maxRunning) running++;
    // A finished call passes its slot on directly, so no new call can take it in between.
    else
      await new Promise<void>((resolve, reject) => {
        const refuse = () => reject(new Refusal('BUSY', { waitTime }));
        (isTrusted ? trusted : others).add(group, { start: resolve, refuse });
      });
    try {
      return await work();
    } finally {
      const waiting = next();
      if (waiting) waiting.start();
      else running--;
    }
  };
}

type WaitingCall = { start: () => void; refuse: () => void };

/** A bounded queue whose groups are served round-robin. */
function openFairQueue(maxWaiting: number) {
  /** The group to be served next is first. */
  const groups = new Map<string, WaitingCall[]>();
  let size = 0;
  const lengthOf = (group: string) => groups.get(group)?.length ?? 0;
  /** Refuses the newest call of the largest group if that group has at least two calls more than `group`. */
  const makeRoom = (group: string): boolean => {
    const [largest] = [...groups.keys()].sort((a, b) => lengthOf(b) - lengthOf(a));
    if (largest === undefined || lengthOf(largest) < lengthOf(group) + 2) return false;
    groups.get(largest)!.pop()!.refuse();
    size--;
    return true;
  };
  return {
    size: () => size,
    add(group: string, call: WaitingCall): void {
      if (size >= maxWaiting && !makeRoom(group)) {
        call.refuse();
        return;
      }
      size++;
      const calls = groups.get(group);
      if (calls) calls.push(call);
      else groups.set(group, [call]);
    },
    take(): WaitingCall | undefined {
      for (const [group, calls] of groups) {
        const call = calls.shift();
        groups.delete(group);
        if (calls.length > 0) groups.set(group, calls);
        size--;
        return call;
      }
      return undefined;
    },
  };
}

/** Runs work within the limit of its key; keys do not wait for each other. */
export type KeyedLimiter = <T>(key: string, work: () => Promise<T>, source?: CallSource) => Promise<T>;

/** `limitConcurrency` per key: each key has its own slots and queue, stored only while in use. */
export function limitConcurrencyByKey(options: ConcurrencyOptions): KeyedLimiter {
  const limiters = new Map<string, { run: Limiter; calls: number }>();
  return async (key, work, source) => {
    const limiter = limiters.get(key) ?? { run: limitConcurrency(options), calls: 0 };
    limiters.set(key, limiter);
    limiter.calls++;
    try {
      return await limiter.run(work, source);
    } finally {
      limiter.calls--;
      if (limiter.calls === 0) limiters.delete(key);
    }
  };
}
