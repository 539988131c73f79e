/**
 * How much password hashing this process does at once. A hash takes a whole core and much memory by design; a flood of
 * logins must queue here and be refused here, and not take the processor from everybody else.
 */
import { Refusal } from '#contract/errors.ts';

const mostAtOnce = 2;
const mostWaiting = 20;

let running = 0;
const waiting: (() => void)[] = [];

/** Does `work` when its turn has come. Refuses `BUSY` at once where too many wait already. */
export async function inHashQueue<T>(work: () => Promise<T>): Promise<T> {
  if (running < mostAtOnce) running++;
  else if (waiting.length >= mostWaiting) throw new Refusal('BUSY', { waitTime: 1 });
  // Whoever ends hands its place on, so the place is ours when this resolves.
  else await new Promise<void>(resolve => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}
