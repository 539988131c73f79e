/** Work that takes much of a machine: so much at once, so much waiting, and everybody else is told to come back. */
import { Refusal } from '#contract/errors.ts';

type QueueOptions = {
  mostAtOnce: number;
  mostWaiting: number;
  /** Seconds after which whoever finds no place to wait is told to come back. */
  waitTime: number;
};

/**
 * Opens a queue and gives the function that does work when its turn has come, at once where there is a place. It refuses
 * `BUSY` where too many wait already.
 */
export function openQueue({
  mostAtOnce,
  mostWaiting,
  waitTime,
}: QueueOptions): <T>(work: () => Promise<T>) => Promise<T> {
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

/** Does work in the queue of its key; nobody waits for the work of another key. */
export type KeyedQueue = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Opens a queue for every key, each with these places of its own and kept while anything is in it. */
export function openKeyedQueue(options: QueueOptions): KeyedQueue {
  const queues = new Map<string, { inTurn: ReturnType<typeof openQueue>; length: number }>();
  return async (key, work) => {
    const queue = queues.get(key) ?? { inTurn: openQueue(options), length: 0 };
    queues.set(key, queue);
    queue.length++;
    try {
      return await queue.inTurn(work);
    } finally {
      queue.length--;
      if (queue.length === 0) queues.delete(key);
    }
  };
}
