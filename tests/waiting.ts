/**
 * Timeouts of tests on a busy machine. Waits have a limit that only a defect can reach. When a test checks a time that the
 * product promises, delays caused by the machine are measured and subtracted.
 */

import type { Pool } from 'pg';

/** Long enough for a machine with a load of twenty times its number of processors. */
export const waitLimitMs = 120_000;

/** Options of `vi.waitFor` and `expect.poll`. */
export const waitOptions = { timeout: waitLimitMs, interval: 20 };

// Saved before a test can install a fake clock.
const { setTimeout: setRealTimeout } = globalThis;

/**
 * `false` is not allowed: a poll that has not found anything returns undefined. Promises are excluded, because otherwise the
 * promise of a `false` would be allowed as an object.
 */
type Found = (object & { then?: never }) | string | number | bigint | true;
type Poll<T extends Found> = () => T | undefined | Promise<T | undefined>;

/**
 * Polls until `poll` returns a value other than undefined, even in a test with a fake clock. Throws an error that names `what`
 * after `timeoutMs`.
 */
export async function waitUntil<T extends Found>(what: string, timeoutMs: number, poll: Poll<T>): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const found = await poll();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms for ${what}`);
    await new Promise(resolve => setRealTimeout(resolve, 10));
  }
}

/** `waitUntil` with the limit that only a defect can reach. */
export const eventually = <T extends Found>(poll: Poll<T>): Promise<T> =>
  waitUntil('a condition', waitLimitMs, poll);

/**
 * Waits until the server at `url` is ready. A server reports that it is not ready if it could not check within 0.8 seconds that
 * it can post. On a busy machine that can happen at any time.
 */
export const becomesReady = (url: string): Promise<true> =>
  waitUntil(
    'the bank to be ready',
    waitLimitMs,
    async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok || undefined,
  );

/** No statement times out sooner than this. A refusal that comes sooner has another reason, such as a locked account. */
const minProductTimeoutMs = 900;

/**
 * Retries a call if the bank refuses it as busy because a statement timed out, as any client does. On a busy machine that can
 * happen in every test. A BUSY refusal that comes sooner is returned or thrown.
 */
export async function retryWhileBusy<T>(call: () => Promise<T>): Promise<T> {
  const { answer } = await eventually(async () => {
    const startedAt = performance.now();
    const isTimeout = () => performance.now() - startedAt > minProductTimeoutMs;
    try {
      const answer = await call();
      const isBusy = (answer as { status?: number } | undefined)?.status === 503;
      return isBusy && isTimeout() ? undefined : { answer };
    } catch (error) {
      if ((error as { code?: string }).code === 'BUSY' && isTimeout()) return undefined;
      throw error;
    }
  });
  return answer;
}

const tickMs = 50;
/** Timers can fire this late on an idle machine too. That is not counted as a delay. */
const idleLatenessMs = 5;

/**
 * Returns how many milliseconds `work` took, without the time in which this process waited for a processor. The lateness of a
 * timer that runs in parallel shows that time. Use this to check limits that the product enforces with timers.
 */
export async function measureWithoutStalls(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  let due = startedAt + tickMs;
  let lateMs = 0;
  const tick = (): void => {
    const now = performance.now();
    if (now - due > idleLatenessMs) lateMs += now - due;
    due = now + tickMs;
  };
  const timer = setInterval(tick, tickMs);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  tick();
  return performance.now() - startedAt - lateMs;
}

/** How many statements of a test's database wait for locks. `pattern`: a regular expression; counts only what it matches. */
export const lockWaits = async (pool: Pool, pattern = ''): Promise<number> => {
  const waiting = `SELECT FROM pg_stat_activity
                    WHERE wait_event_type = 'Lock' AND datname = current_database() AND query ~ $1`;
  return (await pool.query(waiting, [pattern])).rowCount!;
};
