/**
 * The page's only store and its idle watch. Importing this file creates both. `WithStore` imports it for the screens that need
 * the store, and `main.tsx` for every visitor with a session. Other visitors of the public site never fetch it.
 */
import { type EndWarning, watchIdle } from '#web/base/idle.ts';
import { logOut } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';

let shown: EndWarning | undefined;
const listeners = new Set<() => void>();

export const store = makeStore();

function note(warning: EndWarning | undefined): void {
  shown = warning;
  for (const listener of listeners) listener();
}
// There is no user during prerendering.
const idle = typeof window === 'undefined' ? undefined : watchIdle(store, note);

/** Logs the customer out at the customer's request. */
export function leave(): void {
  void store.dispatch(logOut());
}

/** The warning that the session ends soon; `undefined` while there is none. */
export const endWarning = (): EndWarning | undefined => shown;

/** Calls a listener whenever `endWarning` changes. Returns the function that unsubscribes. */
export function subscribeToWarning(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The user has read the warning and is still here. */
export const stay = (): void => idle?.stay();
