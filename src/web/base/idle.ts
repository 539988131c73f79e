/**
 * Ends idle sessions: warns after 15 minutes without user activity and logs out a minute later, here and on the server. All
 * tabs of a browser share the time of the last activity in storage, so that a reload or a sleeping laptop does not lose it.
 * Events that the page itself causes are not activity. The server ends idle sessions too, so activity without calls, such as
 * reading or typing, is reported to it. Also warns before the token expires, which activity does not delay.
 */
import type { adminApi } from '#contract/admin.ts';
import type { authApi } from '#contract/auth.ts';
import { session } from '#contract/constants.ts';
import { idleHeader, lastActionKey, readLastAction, writeLastAction } from './lastAction.ts';
import {
  endExpiredSessions,
  logOut,
  logOutAdmin,
  type SessionStore,
  selectAdmin,
  selectCustomer,
  selectToken,
} from './session.ts';
import { lifeLeftMs } from './token.ts';

/** The session ends in `secondsLeft`, because the user is idle or because its token expires. */
export type EndWarning = { cause: 'idle' | 'expiry'; secondsLeft: number };

export type Idle = {
  /** The user has read the warning and is still here. */
  stay(): void;
  stop(): void;
};

const warnMs = session.idleWarningSeconds * 1000;
const endMs = warnMs + session.idleLogoutSeconds * 1000;
const expiryWarnMs = session.expiryWarningSeconds * 1000;
/** Pointer moves come by the hundred; recording one per second is enough. */
const noteEveryMs = 1_000;
/** Activity is reported after a minute, together with what follows in that minute. */
const reportAfterMs = 60_000;
const actions = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

/** Starts watching. Calls `onChange` with the warning to show, or `undefined` while there is none. */
export function watchIdle(store: SessionStore, onChange: (warning: EndWarning | undefined) => void): Idle {
  /** The token about whose expiry the user has been warned. */
  let warnedToken: string | undefined;
  let shown: EndWarning | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reportTimer: ReturnType<typeof setTimeout> | undefined;
  let notedAt = 0;
  let tokens = tokensOf(store);

  const show = (warning: EndWarning | undefined): void => {
    shown = warning;
    onChange(warning);
  };
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
    if (tokensOf(store).length === 0) {
      show(undefined);
      return;
    }
    const idle = idleMs();
    if (idle >= endMs) {
      end(store);
      return;
    }
    const { token, lifeLeft } = firstToExpire(store);
    if (lifeLeft <= 0) {
      store.dispatch(endExpiredSessions());
      check();
      return;
    }
    const idleLeft = endMs - idle;
    const untilIdle = warnMs - idle;
    const untilExpiry = token === warnedToken ? lifeLeft : lifeLeft - expiryWarnMs;
    if (untilIdle > 0 && untilExpiry > 0) {
      show(undefined);
      timer = setTimeout(check, Math.min(untilIdle, untilExpiry));
      return;
    }
    // If both warnings are due, show the one whose time runs out first.
    const cause = untilExpiry <= 0 && (untilIdle > 0 || lifeLeft <= idleLeft) ? 'expiry' : 'idle';
    const left = cause === 'expiry' ? lifeLeft : Math.min(idleLeft, lifeLeft);
    show({ cause, secondsLeft: Math.ceil(left / 1000) });
    // Aligned to the second: wake up when a whole number of seconds is left.
    timer = setTimeout(check, left % 1000 || 1000);
  };
  const act = (): void => {
    if (Date.now() - notedAt < noteEveryMs || tokensOf(store).length === 0) return;
    // Once the warning is due, only the dialog's buttons count. Even the first pointer move after a long sleep comes too late.
    if (idleMs() < warnMs) noteAction();
    else check();
  };
  const follow = ({ key }: StorageEvent): void => {
    if (key === lastActionKey) check();
  };

  const unsubscribe = store.subscribe(() => {
    const now = tokensOf(store);
    if (now.join() === tokens.join()) return;
    // A login is activity; the stored time belongs to the previous user.
    if (tokens.length === 0) note();
    tokens = now;
    check();
  });
  for (const name of actions) addEventListener(name, act, { capture: true, passive: true });
  addEventListener('storage', follow);
  // Timers do not run while a laptop sleeps.
  document.addEventListener('visibilitychange', check);
  addEventListener('focus', check);
  if (tokens.length > 0 && readLastAction() === undefined) note();
  check();

  return {
    stay() {
      if (shown?.cause === 'expiry') warnedToken = firstToExpire(store).token;
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

/** Whether the last activity in any tab is so long ago that the session is over. */
export function isIdledOut(): boolean {
  const last = readLastAction();
  return last !== undefined && Date.now() - last >= endMs;
}

/** The tokens of the customer and the administrator who are logged in. */
function tokensOf(store: SessionStore): string[] {
  return (['customer', 'admin'] as const).flatMap(access => selectToken(store.getState(), access) ?? []);
}

/** The token that expires first, and the milliseconds left. */
function firstToExpire(store: SessionStore): { token: string | undefined; lifeLeft: number } {
  const lives = tokensOf(store).map(token => ({ token, lifeLeft: lifeLeftMs(token) }));
  return lives.sort((one, other) => one.lifeLeft - other.lifeLeft)[0]!;
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
