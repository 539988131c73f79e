/** Work that takes much of a machine: so much at once, so much waiting, and everybody else is told to come back. */
import { Refusal } from './errors.ts';

/**
 * Opens a queue and gives the function that does work when its turn has come. It refuses `BUSY`, with the seconds to come
 * back after, where too many wait already.
 */
export function openQueue({
  mostAtOnce,
  mostWaiting,
  waitTime,
}: {
  mostAtOnce: number;
  mostWaiting: number;
  waitTime: number;
}): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async work => {
    if (running < mostAtOnce) running++;
    else if (waiting.length >= mostWaiting) throw new Refusal('BUSY', { waitTime });
    // Whoever ends hands its place on, so the place is ours when this resolves and nobody can slip in between.
    else await new Promise<void>(resolve => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
