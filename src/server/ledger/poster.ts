/**
 * Group commit. Requests that arrive while the database is busy are sent in groups, each with one call and one commit. Each
 * request gets its own outcome, as if it had been sent alone. The requests of a group are posted in arrival order; two groups
 * may run at the same time. A commit costs one disk flush, however many requests the group has.
 *
 * If the answer to a group is lost (broken connection, database restart), the group is retried until it is answered or too
 * old. Every request has a key, so a request that was posted is recognized and not posted twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../db/database.ts';
import { busy, giveUp, isTooOld, openLane, tooOld, type Waiting } from './postingLane.ts';
import type { PostOutcome, PostRequest } from './postStatement.ts';

export type Poster = {
  /**
   * Resolves with the outcome, after the commit. Throws `BUSY` if the queue is full, if the ledger could not decide the request
   * in time, or if its outcome is unknown.
   */
  post(request: PostRequest): Promise<PostOutcome>;
  waiting: () => number;
  close: () => Promise<void>;
};

const maxGroupSize = 256;
const minGroupSize = 8;
const minSecondGroupSize = 64;
/** Requests that have waited this long get a second group of any size: the first group may be waiting for a locked account. */
const maxWaitMs = 20;
const maxQueueLength = 5000;
const queueFull = new Error('the queue of postings is full');

/** Opens the poster; its connections are made on first use. */
export function openPoster(database: Database, stepUpFromCents?: bigint): Poster {
  const queue: Waiting[] = [];
  let inFlight = 0;
  let isScheduled = false;
  let isClosed = false;
  let isTimerSet = false;
  const lanes = [1, 2].map(() => openLane(database, () => isClosed, stepUpFromCents));

  const dispatch = (): void => {
    isScheduled = false;
    // Refuse requests past their deadline instead of posting them late.
    while (queue.length > 0 && isTooOld(queue[0]!)) giveUp([queue.shift()!], tooOld);
    for (const lane of lanes) {
      if (lane.isBusy) continue;
      if (queue.length === 0) return;
      // Larger groups cost less per transfer, so a second group runs next to the first only if it is large or has waited long.
      const waitedMs = performance.now() - queue[0]!.since;
      const isAlone = lanes.every(other => !other.isBusy);
      if (!isAlone && queue.length < minSecondGroupSize && waitedMs <= maxWaitMs) {
        dispatchIn(maxWaitMs - waitedMs);
        return;
      }
      // Half of all open requests: while the database posts them, this process reads and answers the other half.
      const share = Math.max(minGroupSize, Math.ceil((queue.length + inFlight) / 2));
      const group = queue.splice(0, Math.min(share, maxGroupSize));
      inFlight += group.length;
      void lane.post(group).then(() => {
        inFlight -= group.length;
        dispatch();
      });
    }
  };

  const dispatchIn = (ms: number): void => {
    if (isTimerSet) return;
    isTimerSet = true;
    setTimeout(() => {
      isTimerSet = false;
      dispatch();
    }, ms);
  };

  const schedule = (): void => {
    if (isScheduled || queue.length === 0) return;
    isScheduled = true;
    // Dispatch after all requests that arrive in this event loop iteration are queued.
    setImmediate(dispatch);
  };

  return {
    post(request) {
      if (isClosed || queue.length >= maxQueueLength) return Promise.reject(busy(queueFull));
      return new Promise((resolve, reject) => {
        queue.push({ request, since: performance.now(), isUncertain: false, resolve, reject });
        schedule();
      });
    },
    waiting: () => queue.length,
    async close() {
      // Post what is queued, without retries.
      isClosed = true;
      while (queue.length > 0 || lanes.some(lane => lane.isBusy)) await sleep(2);
      await Promise.all(lanes.map(lane => lane.end()));
    },
  };
}
