/** Lets background work yield to requests: it waits until the event loop has idle time. */
import { performance } from 'node:perf_hooks';
import { sleep } from './deadline.ts';

/** By default, the process counts as busy if its event loop utilization is at least this. */
const defaultBusyShare = 0.5;
const minSampleMs = 20;
const maxSampleMs = 400;
const defaultMaxWaitMs = 2_000;

/**
 * Resolves when the event loop was less than `busyShare` busy during a sample (20 to 400 ms), when `signal` aborts, or after
 * about `maxWaitMs`. So background work slows down under load, but never stops. Never rejects.
 * @returns whether the first sample was idle
 */
export async function waitUntilIdle(
  signal?: AbortSignal,
  maxWaitMs = defaultMaxWaitMs,
  busyShare = defaultBusyShare,
): Promise<boolean> {
  let sampleMs = minSampleMs;
  for (let waitedMs = 0; waitedMs < maxWaitMs && !signal?.aborted; waitedMs += sampleMs) {
    const before = performance.eventLoopUtilization();
    await sleep(sampleMs, signal);
    if (performance.eventLoopUtilization(before).utilization < busyShare) return waitedMs === 0;
    sampleMs = Math.min(sampleMs * 2, maxSampleMs);
  }
  return false;
}
