/**
 * Calls to a disk that may hang, such as a network disk. Each call that hangs occupies one of Node's threads
 * (`UV_THREADPOOL_SIZE` in main.ts), which also hash passwords. Therefore few calls use the disk at a time, and callers are
 * refused as busy while it hangs.
 */
import { Refusal } from '#contract/errors.ts';
import { limitConcurrency } from './concurrency.ts';
import { withDeadline } from './deadline.ts';

/** How long a caller waits. */
const answerMs = 5_000;
/** The error codes of a disk that is broken, or that this process can no longer use. */
const diskErrors = ['EIO', 'EROFS', 'EACCES', 'ESTALE', 'ETIMEDOUT', 'ENOTCONN', 'EHOSTDOWN'];

export type DiskCalls = {
  /**
   * Runs `work`. Refuses as busy if the disk does not answer in time, or fails with one of `diskErrors`. If the caller is
   * refused while waiting in the queue, the work never begins. `isLate` returns whether the caller was refused while the work
   * was running. Calls with the same `key` (a file) run one at a time, so a file that hangs occupies only one call.
   */
  inTime: <T>(work: (isLate: () => boolean) => Promise<T>, key?: string) => Promise<T>;
  /** False while a call is late, and after one of `diskErrors` until the next call succeeds. */
  answers: () => boolean;
};

/** Limits the calls to the disk of the folder `root` to `maxCalls` at a time. */
export function limitDiskCalls(root: string, maxCalls: number): DiskCalls {
  // The queue needs no limit: each caller waits at most `answerMs`.
  const limited = limitConcurrency({
    maxRunning: maxCalls,
    maxOfGroup: 1,
    maxWaiting: Number.POSITIVE_INFINITY,
    waitTime: 5,
  });
  /** The keys of calls that the disk has not answered in time. */
  const late = new Set<string>();
  let hasFailed = false;

  async function inTime<T>(work: (isLate: () => boolean) => Promise<T>, key = ''): Promise<T> {
    const refuse = (cause: unknown = new Error(`the disk of ${root} does not answer`)) => {
      throw new Refusal('BUSY', { waitTime: 5, cause });
    };
    if (late.size >= maxCalls || late.has(key)) refuse();
    let [hasBegun, isLate] = [false, false];
    const call = limited(
      async () => {
        if (isLate) refuse();
        hasBegun = true;
        try {
          const result = await work(() => isLate);
          hasFailed = false;
          return result;
        } catch (error) {
          if (!diskErrors.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
          hasFailed = true;
          return refuse(error);
        }
      },
      { group: key },
    );
    return await withDeadline(call, answerMs, () => {
      isLate = true;
      // A call that still waits in the queue does not mean that the disk hangs.
      if (hasBegun) {
        late.add(key);
        const forget = () => void late.delete(key);
        call.then(forget, forget);
      }
      return refuse();
    });
  }

  return { inTime, answers: () => late.size === 0 && !hasFailed };
}
