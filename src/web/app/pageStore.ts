/**
 * The page's only store and its idle watch. Importing this file creates both. `WithStore` imports it for the screens that need
 * the store, and `main.tsx` for every visitor with a session. Other visitors of the public site never fetch it.
 */
import { watchIdle } from '#web/base/idle.ts';
import { logOut } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';

let secondsLeft: number | undefined;
const listeners = new Set<() => void>();

export const store = makeStore();

function note(left: number | undefined): void {
  secondsLeft = left;
  for (const listener of listeners) listener();
}
// There is no user during prerendering.
const idle = typeof window === 'undefined' ? undefined : watchIdle(store, note);

/** Logs the customer out at the customer's request. */
export function leave(): void {
  void store.dispatch(logOut());
}

/** Seconds left to confirm before the idle logout; `undefined` while there is no warning. */
export const idleSecondsLeft = (): number | undefined => secondsLeft;

/** Calls a listener whenever `idleSecondsLeft` changes. Returns the function that unsubscribes. */
export function subscribeToIdle(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The user confirmed that they are still here. */
export const stay = (): void => idle?.stay();
