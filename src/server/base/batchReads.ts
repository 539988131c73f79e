/**
 * Asking together: what is asked while a question is under way is collected and asked as one. Each answer is as fresh as
 * if it had been asked alone, for its question starts after it was asked for.
 */

/** Past this a question under way no longer holds up the next: the line it waits on may be dead. */
const patienceMs = 250;
const mostUnderWay = 4;

type Waiting<T> = { id: string; resolve: (found: T | undefined) => void; reject: (error: unknown) => void };

/** Turns a reader of many into a reader of one. What `read` does not give is `undefined`; what it throws, all get. */
export function together<T>(
  read: (ids: string[]) => Promise<Map<string, T>>,
): (id: string) => Promise<T | undefined> {
  let waiting: Waiting<T>[] = [];
  const underWay = new Set<{ since: number }>();

  const isHeldUp = () => {
    if (underWay.size === 0) return false;
    const latest = Math.max(...[...underWay].map(question => question.since));
    return underWay.size >= mostUnderWay || Date.now() - latest < patienceMs;
  };
  const next = async (): Promise<void> => {
    if (waiting.length === 0 || isHeldUp()) return;
    const group = waiting;
    waiting = [];
    const question = { since: Date.now() };
    underWay.add(question);
    try {
      const found = await read([...new Set(group.map(one => one.id))]);
      for (const { id, resolve } of group) resolve(found.get(id));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    underWay.delete(question);
    void next();
  };

  return id =>
    new Promise((resolve, reject) => {
      waiting.push({ id, resolve, reject });
      setImmediate(() => void next());
    });
}
