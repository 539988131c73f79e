/** Background work that can wait yields to requests: it runs while the event loop has time to spare. */
import { performance } from 'node:perf_hooks';
import { sleep } from './deadline.ts';

/** The share of time that the event loop works, from which on the process counts as busy. */
const busyShare = 0.5;
const shortestSampleMs = 20;
const longestSampleMs = 400;
const longestWaitMs = 2_000;

/**
 * Resolves when this process was less than half busy for a moment (20 to 400 ms), after about two seconds in any case, so
 * that background work is slow under load but never stops, or when `signal` aborts. Never rejects.
 */
export async function waitUntilIdle(signal?: AbortSignal): Promise<void> {
  let sampleMs = shortestSampleMs;
  for (let waitedMs = 0; waitedMs < longestWaitMs && !signal?.aborted; waitedMs += sampleMs) {
    const before = performance.eventLoopUtilization();
    await sleep(sampleMs, signal);
    if (performance.eventLoopUtilization(before).utilization < busyShare) return;
    sampleMs = Math.min(sampleMs * 2, longestSampleMs);
  }
}
