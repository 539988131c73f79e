/**
 * How tests deal with time on a machine that has other work to do. What must come is waited for generously, so that only a
 * defect can use up the limit. Where the product promises a time, what this machine delays is measured and left out.
 */

/** Long enough for a machine whose processors have twenty times as much work as they can do. */
export const waitLimitMs = 120_000;

/** Options of `vi.waitFor` and `expect.poll`. */
export const patiently = { timeout: waitLimitMs, interval: 20 };

// Taken before a test can put its own clock in place.
const { setTimeout: setRealTimeout } = globalThis;

/** Polls until `look` gives something, also in a test that has stopped the clock. */
export async function eventually<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + waitLimitMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`waited ${waitLimitMs} ms in vain`);
    await new Promise(resolve => setRealTimeout(resolve, 15));
  }
}

/** No time limit of the product is shorter: a refusal that comes sooner has another reason. */
const shortestLimitMs = 900;

/**
 * Asks again where the bank says that it is busy because time ran out, as any client does. On a busy machine a statement may
 * take longer than the product lets it, which says nothing about what a test asks.
 */
export async function untilNotBusy<T>(ask: () => Promise<T>): Promise<T> {
  const { answer } = await eventually(async () => {
    const askedAt = performance.now();
    const ranOutOfTime = () => performance.now() - askedAt > shortestLimitMs;
    try {
      const answer = await ask();
      const isBusy = (answer as { status?: number } | undefined)?.status === 503;
      return isBusy && ranOutOfTime() ? undefined : { answer };
    } catch (error) {
      if ((error as { code?: string }).code === 'BUSY' && ranOutOfTime()) return undefined;
      throw error;
    }
  });
  return answer;
}

const tickMs = 20;

/**
 * Gives how long `work` took, without what this process was kept waiting for a processor: timers that fire late tell how
 * much that was. For limits that the product keeps by its own timers.
 */
export async function timeServed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  let due = startedAt + tickMs;
  let lateMs = 0;
  const tick = (): void => {
    const now = performance.now();
    lateMs += Math.max(0, now - due);
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
