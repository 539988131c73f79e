/**
 * The page's one store, and the one watch over idleness, which begins with it. Both are made when this file is fetched: for the
 * first screen behind a door or the first visitor with a session; a stranger on the public site never fetches it.
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
// Prerendering has nobody to watch.
const idle = typeof window === 'undefined' ? undefined : watchIdle(store, note);

/** Logs the customer out, by a press. */
export function leave(): void {
  void store.dispatch(logOut());
}

/** How many seconds an idle person has left to say that they are here; `undefined` while nobody is asked. */
export const idleSecondsLeft = (): number | undefined => secondsLeft;

/** Calls a listener whenever `idleSecondsLeft` changes. Gives back how to stop. */
export function subscribeToIdle(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The idle person said that they are still here. */
export const stay = (): void => idle?.stay();
