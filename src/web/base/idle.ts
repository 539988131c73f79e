/**
 * Ends idle sessions: warns after 15 minutes without user activity and logs out a minute later, here and on the server. All
 * tabs of a browser share the time of the last activity in storage, so it also holds across reloads and while a laptop sleeps.
 * Events that the page itself causes are not activity.
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
  /** The user confirmed that they are still here. */
  stay(): void;
  stop(): void;
};

const storedAs = 'lastAction';
const warnMs = session.idleWarningSeconds * 1000;
const endMs = warnMs + session.idleLogoutSeconds * 1000;
/** Pointer moves come by the hundred; recording one per second is enough. */
const noteEveryMs = 1_000;
const actions = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

/** Starts watching. Calls `onChange` with the seconds left before the logout, or `undefined` while there is no warning. */
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
    // The clock was set back; count from now.
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
    // Aligned to the second: wake up when a whole number of seconds is left.
    timer = setTimeout(check, idle < warnMs ? warnMs - idle : (endMs - idle) % 1000 || 1000);
  };
  const act = (): void => {
    if (Date.now() - notedAt < noteEveryMs || !isPresent(store)) return;
    // After the warning only the dialog counts; and the first pointer move after a long sleep comes too late.
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
    // A login is activity; the stored time belongs to the previous user.
    if (now) note();
    check();
  });
  for (const name of actions) addEventListener(name, act, { capture: true, passive: true });
  addEventListener('storage', follow);
  // Timers do not run while a laptop sleeps.
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

/** Whether no tab has been used for so long that the session is over. */
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

/** The stored time in milliseconds; undefined if nothing valid is stored. */
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
    // Without storage each tab keeps its own time.
  }
}
