/** The idle logout: warning, logout, several tabs, and a laptop that slept. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as appMessages from '#contract/messages/app.ts';
import { ida, tokenExpiringAt, wren } from '../../../tests/sessions.ts';
import { type EndWarning, type Idle, watchIdle } from './idle.ts';
import { requestHeaders } from './request.ts';
import { adminLoggedIn, customerLoggedIn, loggedOut } from './session.ts';
import { type AppStore, makeStore } from './store.ts';

const minute = 60_000;

let store: AppStore;
let idle: Idle;
let left: number | undefined;
let cause: EndWarning['cause'] | undefined;
let requests: [string, string | null][];
/** The idle time that each request reported. */
let idleSent: (string | null)[];
const pass = (milliseconds: number) => vi.advanceTimersByTime(milliseconds);
const act = (name = 'keydown') => window.dispatchEvent(new Event(name));
const isIn = () => store.getState().auth.user !== null;

/** Another tab of this browser records user activity now. */
function actElsewhere() {
  localStorage.setItem('lastAction', String(Date.now()));
  window.dispatchEvent(
    new StorageEvent('storage', {
      key: 'lastAction',
      newValue: String(Date.now()),
      storageArea: localStorage,
    }),
  );
}
/** Time passes without any timer running. */
const sleep = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

function watch() {
  idle = watchIdle(store, warning => {
    left = warning?.secondsLeft;
    cause = warning?.cause;
  });
}

beforeEach(() => {
  // Starts at a whole second, because a token's `exp` is one.
  vi.useFakeTimers({ now: new Date('2026-11-20T09:00:00Z') });
  requests = [];
  idleSent = [];
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    requests.push([path, new Headers(init.headers).get('authorization')]);
    idleSent.push(new Headers(init.headers).get('x-idle-seconds'));
    return new Response('{}');
  });
  store = makeStore();
  watch();
  store.dispatch(customerLoggedIn(wren));
});
afterEach(() => {
  idle.stop();
  localStorage.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('after fifteen minutes without activity the customer is warned, with the seconds that are left [ST-38]', () => {
  pass(15 * minute - 1);
  expect(left).toBeUndefined();
  pass(1);
  expect(left).toBe(60);
  pass(1_000);
  expect(left).toBe(59);
  pass(58_999);
  expect(left).toBe(1);
  expect(isIn()).toBe(true);
});

test('a minute after the warning the customer is logged out, on the server too, and sees why [ST-39]', () => {
  pass(16 * minute);
  expect(isIn()).toBe(false);
  expect(requests).toEqual([['/api/v1/auth/logout', `Bearer ${wren.token}`]]);
  expect(store.getState().auth.message).toBe(appMessages.sessionEnded);
  expect(left).toBeUndefined();
});

test('an administrator is logged out too [ST-39]', () => {
  store.dispatch(loggedOut());
  store.dispatch(adminLoggedIn(ida));
  pass(15 * minute);
  expect(left).toBe(60);
  pass(minute);
  expect(store.getState().adminSession.admin).toBeNull();
  expect(requests).toEqual([['/api/v1/admin/logout', `Bearer ${ida.token}`]]);
});

test('five minutes before the session expires a busy customer is warned, once, and then logged out [ST-38]', () => {
  const token = tokenExpiringAt(Date.now() / 1000 + 60 * 60);
  store.dispatch(customerLoggedIn({ ...wren, token }));
  for (let minutes = 0; minutes < 55; minutes++) {
    expect(left).toBeUndefined();
    pass(minute);
    act();
  }
  expect([cause, left]).toEqual(['expiry', 300]);
  pass(1_000);
  expect(left).toBe(299);
  idle.stay();
  expect(left).toBeUndefined();
  pass(4 * minute);
  act();
  expect(left).toBeUndefined();
  expect(isIn()).toBe(true);
  pass(59_000);
  expect(isIn()).toBe(false);
  expect(store.getState().auth.message).toBe(appMessages.sessionEnded);
});

test('if the idle warning and the expiry warning are both due, the one whose time runs out first is shown [ST-38]', () => {
  store.dispatch(customerLoggedIn({ ...wren, token: tokenExpiringAt(Date.now() / 1000 + 18 * 60) }));
  pass(14 * minute);
  expect([cause, left]).toEqual(['expiry', 240]);
  pass(minute);
  expect([cause, left]).toEqual(['idle', 60]);
  idle.stay();
  expect([cause, left]).toEqual(['expiry', 180]);
  pass(3 * minute);
  expect(isIn()).toBe(false);
});

test.each(['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'])('a %s is activity', name => {
  pass(14 * minute);
  act(name);
  pass(14 * minute);
  expect(left).toBeUndefined();
  pass(minute);
  expect(left).toBe(60);
});

test('events that the page itself causes are not activity', () => {
  pass(10 * minute);
  window.dispatchEvent(new Event('focus'));
  window.dispatchEvent(new Event('online'));
  document.dispatchEvent(new Event('visibilitychange'));
  pass(5 * minute);
  expect(left).toBe(60);
});

test('a warned customer stays logged in by confirming, not by moving the mouse [ST-38]', () => {
  pass(15 * minute + 30_000);
  act('pointermove');
  expect(left).toBe(30);
  idle.stay();
  expect(left).toBeUndefined();
  pass(15 * minute);
  expect(left).toBe(60);
});

test('activity in one tab keeps the other tab logged in', () => {
  pass(14 * minute);
  actElsewhere();
  pass(14 * minute);
  expect(left).toBeUndefined();
});

test('confirming in one tab closes the warning in the other', () => {
  pass(15 * minute + 10_000);
  expect(left).toBe(50);
  actElsewhere();
  expect(left).toBeUndefined();
});

test('when an idle tab logs the customer out, the other tabs show the reason too', () => {
  sleep(16 * minute);
  localStorage.removeItem('user');
  window.dispatchEvent(
    new StorageEvent('storage', { key: 'user', newValue: null, storageArea: localStorage }),
  );
  expect(isIn()).toBe(false);
  expect(store.getState().auth.message).toBe(appMessages.sessionEnded);
});

test('a laptop that slept past the deadline logs out on waking, even if a pointer move is the first event', () => {
  sleep(3 * 60 * minute);
  act('pointermove');
  expect(isIn()).toBe(false);
  expect(requests).toHaveLength(1);
});

test('a browser that is reopened too late logs out before anything else happens', () => {
  idle.stop();
  sleep(20 * minute);
  store = makeStore();
  expect(isIn()).toBe(true);
  watch();
  expect(isIn()).toBe(false);
});

test('activity without calls is reported to the server, at most once a minute, with the time of the last action [ST-50]', () => {
  const reports = () => requests.filter(([path]) => path === '/api/v1/auth/activity').length;
  pass(2_000);
  act();
  pass(20_000);
  act();
  expect(reports()).toBe(0);
  pass(40_000);
  expect(reports()).toBe(1);
  expect(idleSent.at(-1)).toBe('40');
  pass(5 * minute);
  expect(reports()).toBe(1);
  // The server's time of the last action is more than a minute old, so the next action is reported at once.
  act();
  expect(reports()).toBe(2);
  expect(idleSent.at(-1)).toBeNull();
  pass(15 * minute + 30_000);
  idle.stay();
  expect(reports()).toBe(3);
});

test('a request says how long the customer has been idle, so that polling keeps no session alive [ST-50]', () => {
  expect(requestHeaders({}, wren.token)).not.toHaveProperty('x-idle-seconds');
  pass(10 * minute);
  expect(requestHeaders({}, wren.token)).toHaveProperty('x-idle-seconds', '600');
  expect(requestHeaders({}, undefined)).not.toHaveProperty('x-idle-seconds');
});

test('a later login starts a new idle period', () => {
  pass(16 * minute);
  sleep(60 * minute);
  store.dispatch(customerLoggedIn({ ...wren, _id: '2' }));
  expect(isIn()).toBe(true);
  pass(15 * minute - 1);
  expect(left).toBeUndefined();
});

test('setting the clock back neither logs out nor extends the session forever', () => {
  sleep(-60 * minute);
  pass(15 * minute + 1_000);
  expect(isIn()).toBe(true);
  pass(16 * minute);
  expect(isIn()).toBe(false);
});

test('nothing happens while no user is logged in', () => {
  store.dispatch(loggedOut());
  pass(60 * minute);
  expect(left).toBeUndefined();
  expect(requests).toEqual([]);
});
