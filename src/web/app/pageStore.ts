/**
 * The page's one store, and the one watch over idleness, which begins with it. Both are made when the first screen behind a door
 * or the first visitor with a session needs them; a stranger on the public site never fetches them.
 */
import { type Idle, watchIdle } from '#web/base/idle.ts';
import { logOut } from '#web/base/session.ts';
import { type AppStore, makeStore } from '#web/base/store.ts';

let store: AppStore | undefined;
let idle: Idle | undefined;
let secondsLeft: number | undefined;
const listeners = new Set<() => void>();

/** The store; made by the first call. */
export function openStore(): AppStore {
  if (store) return store;
  store = makeStore();
  // Prerendering has nobody to watch.
  if (typeof window !== 'undefined') {
    idle = watchIdle(store, left => {
      secondsLeft = left;
      for (const listener of listeners) listener();
    });
  }
  return store;
}

/** Logs the customer out, by a press. */
export function leave(): void {
  void openStore().dispatch(logOut());
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
