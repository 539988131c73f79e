/** Waiting for a moment in which nobody is held up: what need not happen at once gives way to people who use the bank. */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

const busyShare = 0.5;
const shortestLookMs = 20;
const longestLookMs = 400;
const longestWaitMs = 2_000;

/** Resolves once this process has time to spare, or after two seconds: under the heaviest load work goes slowly, but goes. */
export async function untilQuiet(signal?: AbortSignal): Promise<void> {
  let lookMs = shortestLookMs;
  for (let waitedMs = 0; waitedMs < longestWaitMs && !signal?.aborted; waitedMs += lookMs) {
    const before = performance.eventLoopUtilization();
    await sleep(lookMs);
    if (performance.eventLoopUtilization(before).utilization < busyShare) return;
    lookMs = Math.min(lookMs * 2, longestLookMs);
  }
}
