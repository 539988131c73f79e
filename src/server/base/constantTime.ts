/** Answers that must not tell by their time what was done for them. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than the work of any of these calls takes on a bank that is not overloaded. */
const answerAfterMs = 200;

/** Does `work` and gives its result, or its failure, no sooner than after a fixed time. */
export async function evenly<T>(work: () => Promise<T>): Promise<T> {
  const [done] = await Promise.allSettled([work(), sleep(answerAfterMs)]);
  if (done.status === 'rejected') throw done.reason;
  return done.value;
}

/** Does `work`; where it refuses, no sooner than after a fixed time. A success tells what it is anyway. */
export async function refuseEvenly<T>(work: () => Promise<T>): Promise<T> {
  const pause = sleep(answerAfterMs, undefined, { ref: false });
  try {
    return await work();
  } catch (error) {
    await pause;
    throw error;
  }
}
