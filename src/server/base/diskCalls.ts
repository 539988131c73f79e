/**
 * Calls to a disk that may hang, such as a network disk. Then each call occupies one of Node's threads (main.ts), which also hash
 * passwords. So few calls use the disk at a time, and callers are refused as busy.
 */
import { Refusal } from '#contract/errors.ts';
import { limitConcurrency } from './concurrency.ts';
import { withDeadline } from './deadline.ts';

/** How long a caller waits. */
const answerMs = 5_000;

export type DiskCalls = {
  /**
   * Refuses as busy if the disk does not answer. Work that would begin after that is not done. `isLate`: whether the caller was
   * refused while the work was being done.
   */
  inTime: <T>(work: (isLate: () => boolean) => Promise<T>) => Promise<T>;
  /** Whether the disk answers all calls in time. */
  answers: () => boolean;
};

/** Limits the calls to the disk of the folder `root` to `maxCalls` at a time. */
export function limitDiskCalls(root: string, maxCalls: number): DiskCalls {
  // The queue needs no limit: each caller waits at most `answerMs`.
  const limited = limitConcurrency({
    maxRunning: maxCalls,
    maxWaiting: Number.POSITIVE_INFINITY,
    waitTime: 5,
  });
  /** Calls that the disk has not answered in time. */
  const late = new Set<Promise<unknown>>();

  async function inTime<T>(work: (isLate: () => boolean) => Promise<T>): Promise<T> {
    const refuse = () => {
      throw new Refusal('BUSY', { waitTime: 5, cause: new Error(`the disk of ${root} does not answer`) });
    };
    if (late.size >= maxCalls) refuse();
    let [hasBegun, isLate] = [false, false];
    const call = limited(async () => {
      if (isLate) refuse();
      hasBegun = true;
      return await work(() => isLate);
    });
    return await withDeadline(call, answerMs, () => {
      isLate = true;
      // A call that still waits in the queue does not mean that the disk hangs.
      if (hasBegun) {
        late.add(call);
        const forget = () => void late.delete(call);
        call.then(forget, forget);
      }
      return refuse();
    });
  }

  return { inTime, answers: () => late.size === 0 };
}
