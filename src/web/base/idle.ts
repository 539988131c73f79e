/**
 * Ends idle sessions: warns after 15 minutes without user activity and logs out a minute later, here and on the server. All
 * tabs of a browser share the time of the last activity in storage, so that a reload or a sleeping laptop does not lose it.
 * Events that the page itself causes are not activity. The server ends idle sessions too, so activity without calls, such as
 * reading or typing, is reported to it.
 */
import type { adminApi } from '#contract/admin.ts';
import type { authApi } from '#contract/auth.ts';
import { session } from '#contract/constants.ts';
import { idleHeader, lastActionKey, readLastAction, writeLastAction } from './lastAction.ts';
import {
  logOut,
  logOutAdmin,
  type SessionStore,
  selectAdmin,
  selectCustomer,
  selectToken,
} from './session.ts';

export type Idle = {
  /** The user confirmed that they are still here. */
  stay(): void;
  stop(): void;
};

const warnMs = session.idleWarningSeconds * 1000;
const endMs = warnMs + session.idleLogoutSeconds * 1000;
/** Pointer moves come by the hundred; recording one per second is enough. */
const noteEveryMs = 1_000;
/** Activity is reported after a minute, together with what follows in that minute. */
const reportAfterMs = 60_000;
const actions = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

/** Starts watching. Calls `onChange` with the seconds left before the logout, or `undefined` while there is no warning. */
export function watchIdle(store: SessionStore, onChange: (secondsLeft: number | undefined) => void): Idle {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reportTimer: ReturnType<typeof setTimeout> | undefined;
  let notedAt = 0;
  let wasPresent = isPresent(store);

  const note = (): void => {
    notedAt = Date.now();
    writeLastAction(notedAt);
  };
  const idleMs = (): number => {
    const idle = Date.now() - Math.max(notedAt, readLastAction() ?? 0);
    if (idle >= 0) return idle;
    // The clock was set back; count from now.
    note();
    return 0;
  };

  const report = (): void => {
    clearTimeout(reportTimer);
    reportTimer = undefined;
    reportActivity(store);
  };
  /** Records an action and reports it within a minute. An action after more than a minute of idle time is reported at once. */
  const noteAction = (): void => {
    const wasIdle = idleMs() > reportAfterMs;
    note();
    if (wasIdle) report();
    else reportTimer ??= setTimeout(report, reportAfterMs);
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
    // Once the warning is due, only the dialog counts. After a long sleep, even the first pointer move comes too late.
    if (idleMs() < warnMs) noteAction();
    else check();
  };
  const follow = ({ key }: StorageEvent): void => {
    if (key === lastActionKey) check();
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
  if (wasPresent && readLastAction() === undefined) note();
  check();

  return {
    stay() {
      if (idleMs() < endMs) noteAction();
      check();
    },
    stop() {
      clearTimeout(timer);
      clearTimeout(reportTimer);
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
  const last = readLastAction();
  return last !== undefined && Date.now() - last >= endMs;
}

function isPresent(store: SessionStore): boolean {
  return Boolean(selectCustomer(store.getState()) ?? selectAdmin(store.getState()));
}

const reportPaths = {
  customer: '/api/v1/auth/activity' satisfies (typeof authApi)['reportActivity']['path'],
  admin: '/api/v1/admin/activity' satisfies (typeof adminApi)['adminReportActivity']['path'],
};

// Plain fetch: public pages know who is logged in but do not load the API client.
function reportActivity(store: SessionStore): void {
  for (const access of ['customer', 'admin'] as const) {
    const token = selectToken(store.getState(), access);
    if (!token) continue;
    const headers = { authorization: `Bearer ${token}`, ...idleHeader() };
    void fetch(reportPaths[access], { method: 'POST', headers }).catch(() => undefined);
  }
}

function end(store: SessionStore): void {
  if (selectCustomer(store.getState())) void store.dispatch(logOut('ended'));
  if (selectAdmin(store.getState())) void store.dispatch(logOutAdmin('ended'));
}
