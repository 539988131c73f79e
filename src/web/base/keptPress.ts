/**
 * Keeps the press of 'Send Money' whose result is not known yet: its idempotency key and its request, in browser storage. It
 * survives a reload and a closed tab, so that the app can ask again with the same key. There is at most one per browser.
 * Another customer's login deletes it. Anyone at this browser can read and write it. Without storage nothing is kept.
 */

/**
 * `session` is the id of the session that made the press. Only that session sends the press again without asking. No one knows
 * the id before the login, so a press that another person put into storage never has the right id. `body` is the request, and
 * `pressedAt` the time of the press in milliseconds.
 */
export type KeptPress = {
  key: string;
  customerId: string;
  session: string;
  pressedAt: number;
  body: unknown;
};

/** The storage key; other tabs receive a `storage` event with it. */
export const pressStoredAs = 'unansweredPress';

export function keepPress(press: KeptPress): void {
  try {
    localStorage.setItem(pressStoredAs, JSON.stringify(press));
  } catch {
    // Without storage the press lives only in this tab's memory.
  }
}

/** The kept press of a customer; undefined if there is none, or only another customer's. */
export function readKeptPress(customerId: string): KeptPress | undefined {
  const press = read();
  return press?.customerId === customerId ? press : undefined;
}

export function dropKeptPress(): void {
  try {
    localStorage.removeItem(pressStoredAs);
  } catch {
    // Nothing was stored.
  }
}

/** Deletes a press that another customer has left. */
export function keepPressOnlyFor(customerId: string): void {
  if (!readKeptPress(customerId)) dropKeptPress();
}

function read(): KeptPress | undefined {
  try {
    const press = JSON.parse(localStorage.getItem(pressStoredAs) ?? 'null') as Partial<KeptPress> | null;
    const { key, customerId, session, pressedAt, body } = press ?? {};
    if (typeof key !== 'string' || typeof customerId !== 'string') return undefined;
    if (typeof session !== 'string' || typeof pressedAt !== 'number') return undefined;
    return { key, customerId, session, pressedAt, body };
  } catch {
    return undefined;
  }
}

/**
 * Runs `work` in one tab of this browser at a time, so that only one tab asks for the result of a press. A closed tab releases
 * the lock. With `ifFree`, does not wait: if another tab has the lock, the result is undefined.
 */
export async function withTabLock<T>(
  work: () => Promise<T>,
  { ifFree = false } = {},
): Promise<T | undefined> {
  const { locks } = navigator as { locks?: LockManager };
  if (!locks) return await work();
  return await locks.request(pressStoredAs, { ifAvailable: ifFree }, async lock =>
    lock ? await work() : undefined,
  );
}
