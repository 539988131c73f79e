/** Concurrency limits for expensive work: a number of running calls, a bounded queue, and `BUSY` for the rest. */
import { Refusal } from '#contract/errors.ts';

type ConcurrencyOptions = {
  /** Calls that run at a time. */
  maxRunning: number;
  /** Calls of one group that run at a time. Default: `maxRunning`. */
  maxOfGroup?: number;
  /** How many calls may wait for a slot. As many trusted calls may wait in a queue of their own. */
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
 * Limits how many calls run at a time. The others wait in a queue, in order of arrival within a group.
 * @returns a function that runs `work` in a slot, synchronously if one is free, and settles as `work` does; it rejects with
 * `BUSY` if the queue is full. If a call of a smaller group finds the queue full, the newest call of the largest group is
 * rejected instead.
 */
export function limitConcurrency({
  maxRunning,
  maxOfGroup = maxRunning,
  maxWaiting,
  waitTime,
}: ConcurrencyOptions): Limiter {
  let running = 0;
  /** Running calls by group. */
  const runningOf = new Map<string, number>();
  const mayRun = (group: string) => running < maxRunning && (runningOf.get(group) ?? 0) < maxOfGroup;
  const change = (group: string, by: 1 | -1) => {
    running += by;
    const count = (runningOf.get(group) ?? 0) + by;
    if (count > 0) runningOf.set(group, count);
    else runningOf.delete(group);
  };
  const [trusted, others] = [openFairQueue(maxWaiting), openFairQueue(maxWaiting)];
  let order = [trusted, others];
  const startNext = () => {
    for (const from of order) {
      const next = from.take(mayRun);
      if (!next) continue;
      order = from === trusted ? [others, trusted] : [trusted, others];
      change(next.group, 1);
      next.start();
      return;
    }
  };
  return async (work, { group = '', isTrusted = false } = {}) => {
    if (mayRun(group)) change(group, 1);
    // A finished call starts the next waiting call synchronously (`startNext`), so no new call can take the slot in between.
    else
      await new Promise<void>((resolve, reject) => {
        const refuse = () => reject(new Refusal('BUSY', { waitTime }));
        (isTrusted ? trusted : others).add(group, { start: resolve, refuse });
      });
    try {
      return await work();
    } finally {
      change(group, -1);
      startNext();
    }
  };
}

/**
 * The members of the largest group, of which `group` may replace one. Undefined unless the largest group has at least two more
 * members than `group`.
 */
export function largestGroup<T>(groups: ReadonlyMap<string, T[]>, group: string): T[] | undefined {
  const [largest = []] = [...groups.values()].sort((a, b) => b.length - a.length);
  return largest.length >= (groups.get(group)?.length ?? 0) + 2 ? largest : undefined;
}

type WaitingCall = { start: () => void; refuse: () => void };

/** A bounded queue whose groups are served round-robin. */
function openFairQueue(maxWaiting: number) {
  /** The group to be served next is first. */
  const groups = new Map<string, WaitingCall[]>();
  let size = 0;
  /** Refuses the newest call of the largest group if that group has at least two calls more than `group`. */
  const makeRoom = (group: string): boolean => {
    const largest = largestGroup(groups, group);
    if (!largest) return false;
    largest.pop()!.refuse();
    size--;
    return true;
  };
  return {
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
    /** Removes and returns the next call of the first group that may run. */
    take(mayRun: (group: string) => boolean): (WaitingCall & { group: string }) | undefined {
      for (const [group, calls] of groups) {
        if (!mayRun(group)) continue;
        const call = calls.shift()!;
        groups.delete(group);
        if (calls.length > 0) groups.set(group, calls);
        size--;
        return { ...call, group };
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
