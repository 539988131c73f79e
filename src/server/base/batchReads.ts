/**
 * Batched reads: lookups by id that are requested while a query runs are collected, and share the next query.
 * Every result is as fresh as from a separate query, because a batch starts after its last lookup was requested.
 */

/**
 * If every running batch has run for this long, a new lookup starts the next batch beside them, because their connections may
 * be dead. At most `maxRunning` batches run at a time.
 */
const slowBatchMs = 250;
const maxRunning = 4;

type Lookup<T> = { id: string; resolve: (found: T | undefined) => void; reject: (error: unknown) => void };

/**
 * Turns `read`, which looks up many ids, into a lookup of one id.
 * @param read gets distinct ids and returns a map by id; the lookup resolves to `undefined` for an id that is not in the map
 * @returns a lookup that rejects with whatever `read` threw for its batch
 */
export function batchReads<T>(
  read: (ids: string[]) => Promise<Map<string, T>>,
): (id: string) => Promise<T | undefined> {
  let waiting: Lookup<T>[] = [];
  const running = new Set<{ startedAt: number }>();

  let isTimed = false;

  const mustWait = () => {
    if (running.size === 0) return false;
    const latest = Math.max(...[...running].map(batch => batch.startedAt));
    return running.size >= maxRunning || Date.now() - latest < slowBatchMs;
  };
  const startNext = async (): Promise<void> => {
    if (waiting.length === 0) return;
    if (mustWait()) {
      if (!isTimed)
        setTimeout(() => {
          isTimed = false;
          void startNext();
        }, slowBatchMs);
      isTimed = true;
      return;
    }
    const lookups = waiting;
    waiting = [];
    const batch = { startedAt: Date.now() };
    running.add(batch);
    try {
      const found = await read([...new Set(lookups.map(lookup => lookup.id))]);
      for (const { id, resolve } of lookups) resolve(found.get(id));
    } catch (error) {
      for (const { reject } of lookups) reject(error);
    }
    running.delete(batch);
    void startNext();
  };

  return id =>
    new Promise((resolve, reject) => {
      waiting.push({ id, resolve, reject });
      setImmediate(() => void startNext());
    });
}
