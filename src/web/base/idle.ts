/**
 * Ends sessions that nobody uses: after a quarter of an hour without a person's action somebody is warned, a minute later
 * logged out, here and on the server. All tabs of a browser share one clock, which stands in storage, so that it also holds
 * over a reload and for a laptop that slept. What the page does by itself is no action.
 */
import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { session } from '#contract/constants.ts';
import { logOut, logOutAdmin, type SessionState, selectAdmin, selectCustomer } from './session.ts';

type SessionStore = {
  getState: () => SessionState;
  subscribe: (listener: () => void) => () => void;
  dispatch: ThunkDispatch<SessionState, unknown, UnknownAction>;
};

export type Idle = {
  /** The person said that they are still here. */
  stay(): void;
  stop(): void;
};

const storedAs = 'lastAction';
const warnMs = session.idleWarningSeconds * 1000;
const endMs = warnMs + session.idleLogoutSeconds * 1000;
/** Moves of a hand come by the hundred; one a second is enough. */
const noteEveryMs = 1_000;
const actions = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

/** Starts to watch. `onChange` is told how many seconds are left before the logout, and `undefined` while nobody is warned. */
export function watchIdle(store: SessionStore, onChange: (secondsLeft: number | undefined) => void): Idle {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let notedAt = 0;
  let wasPresent = isPresent(store);

  const note = (): void => {
    notedAt = Date.now();
    writeLast(notedAt);
  };
  const idleMs = (): number => {
    const idle = Date.now() - Math.max(notedAt, readLast() ?? 0);
    if (idle >= 0) return idle;
    // The clock was set back; it counts from now.
    note();
    return 0;
  };

  const check = (): void => {
    clearTimeout(timer);
    if (!isPresent(store)) {
      onChange(undefined);
      return;
    }
    const idle = idleMs();
    if (idle >= endMs) {
      end(store);
      return;
    }
    onChange(idle < warnMs ? undefined : Math.ceil((endMs - idle) / 1000));
    // To the second: the next one begins when a whole number of them is left.
    timer = setTimeout(check, idle < warnMs ? warnMs - idle : (endMs - idle) % 1000 || 1000);
  };
  const act = (): void => {
    if (Date.now() - notedAt < noteEveryMs || !isPresent(store)) return;
    // Whoever is warned answers the question; and the first move after a long sleep is too late.
    if (idleMs() < warnMs) note();
    else check();
  };
  const follow = ({ key }: StorageEvent): void => {
    if (key === storedAs) check();
  };

  const unsubscribe = store.subscribe(() => {
    const now = isPresent(store);
    if (now === wasPresent) return;
    wasPresent = now;
    // A login is an action; the time of whoever was here before says nothing about this person.
    if (now) note();
    check();
  });
  for (const name of actions) addEventListener(name, act, { capture: true, passive: true });
  addEventListener('storage', follow);
  // Timers rest while a laptop sleeps.
  document.addEventListener('visibilitychange', check);
  addEventListener('focus', check);
  if (wasPresent && readLast() === undefined) note();
  check();

  return {
    stay() {
      if (idleMs() < endMs) note();
      check();
    },
    stop() {
      clearTimeout(timer);
      unsubscribe();
      for (const name of actions) removeEventListener(name, act, { capture: true });
      removeEventListener('storage', follow);
      document.removeEventListener('visibilitychange', check);
      removeEventListener('focus', check);
    },
  };
}

/** Whether nobody has used any tab for so long that its session is over. */
export function isIdledOut(): boolean {
  const last = readLast();
  return last !== undefined && Date.now() - last >= endMs;
}

function isPresent(store: SessionStore): boolean {
  return Boolean(selectCustomer(store.getState()) ?? selectAdmin(store.getState()));
}

function end(store: SessionStore): void {
  if (selectCustomer(store.getState())) void store.dispatch(logOut('ended'));
  if (selectAdmin(store.getState())) void store.dispatch(logOutAdmin('ended'));
}

/** Milliseconds of the clock; undefined where nothing usable is stored. */
function readLast(): number | undefined {
  try {
    const last = Number(localStorage.getItem(storedAs) ?? Number.NaN);
    return Number.isFinite(last) ? last : undefined;
  } catch {
    return undefined;
  }
}

function writeLast(at: number): void {
  try {
    localStorage.setItem(storedAs, String(at));
  } catch {
    // Each tab then keeps its own time.
  }
}
