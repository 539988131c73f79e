/** Deadlines for work that may hang, and a sleep that can be aborted. */
import { setTimeout as delay } from 'node:timers/promises';

/** A process exits at most this long after it begins to stop, even if the deadlines of its steps add up to more. */
export const stopWithinMs = 9_300;

/**
 * Settles as `work` does, or as `onLate` does if `work` takes longer than `ms` milliseconds. The work is not canceled:
 * it continues, and its result or error is ignored. The timer does not keep the process alive.
 */
export async function withDeadline<T, Late>(
  work: Promise<T>,
  ms: number,
  onLate: () => Late,
): Promise<T | Late> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>(resolve => {
    timer = setTimeout(resolve, ms).unref();
  }).then(onLate);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves after `ms` milliseconds, or as soon as `signal` aborts. Never rejects. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {});
}
