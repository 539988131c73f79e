/** Background work that is repeated until it is stopped, with exponential backoff while it fails. */
import { sleep } from './deadline.ts';

export type RetryLoop = {
  /** Stops the loop and resolves when the current round has ended. */
  stop(): Promise<void>;
};

const defaultMaxPauseMs = 30_000;

/**
 * Runs `work` repeatedly: immediately if it resolves to true (there is more to do), otherwise after `idleMs`. If it rejects,
 * `onError` gets the error and the pause doubles, up to `maxPauseMs` (30 seconds by default).
 * @param work gets a signal that aborts on `stop`
 */
export function startRetryLoop(
  work: (signal: AbortSignal) => Promise<boolean>,
  {
    idleMs,
    maxPauseMs = defaultMaxPauseMs,
    onError,
  }: { idleMs: number; maxPauseMs?: number; onError: (error: Error) => void },
): RetryLoop {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async (): Promise<void> => {
    let pauseMs = idleMs;
    while (!signal.aborted) {
      try {
        const hasMore = await work(signal);
        pauseMs = idleMs;
        if (hasMore) continue;
      } catch (error) {
        onError(error as Error);
        pauseMs = Math.min(pauseMs * 2, maxPauseMs);
      }
      await sleep(pauseMs, signal);
    }
  };
  const finished = run();
  return {
    stop() {
      stopping.abort();
      return finished;
    },
  };
}
