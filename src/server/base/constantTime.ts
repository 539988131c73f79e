/** Constant-time responses: their duration must not reveal, for example, whether an email address has an account. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than any `work` takes while the bank is not overloaded. */
const minimumMs = 200;

/** Runs `work` and settles as it does, but not before 200 ms have passed. */
export async function inConstantTime<T>(work: () => Promise<T>): Promise<T> {
  const [done] = await Promise.allSettled([work(), sleep(minimumMs)]);
  if (done.status === 'rejected') throw done.reason;
  return done.value;
}

/** Runs `work`. A rejection takes at least 200 ms. A success is not delayed, because the response reveals it anyway. */
export async function refuseInConstantTime<T>(work: () => Promise<T>): Promise<T> {
  const pause = sleep(minimumMs, undefined, { ref: false });
  try {
    return await work();
  } catch (error) {
    await pause;
    throw error;
  }
}
