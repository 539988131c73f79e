/** Work that is never done: looked for again and again, with longer pauses while it fails, until it is stopped. */
import { setTimeout as sleep } from 'node:timers/promises';

export type Steady = {
  /** Ends after what is under way. */
  stop(): Promise<void>;
};

const longestPauseMs = 30_000;

/** Repeats `work`: at once while it returns true, after `idleMs` otherwise. What it throws is told to `onError`. */
export function steadily(
  work: (signal: AbortSignal) => Promise<boolean>,
  { idleMs, onError }: { idleMs: number; onError: (error: Error) => void },
): Steady {
  const ending = new AbortController();
  const { signal } = ending;
  const run = async (): Promise<void> => {
    let pauseMs = idleMs;
    while (!signal.aborted) {
      try {
        const hasMore = await work(signal);
        pauseMs = idleMs;
        if (hasMore) continue;
      } catch (error) {
        onError(error as Error);
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      }
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  };
  const finished = run();
  return {
    stop() {
      ending.abort();
      return finished;
    },
  };
}
