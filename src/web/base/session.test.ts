/** Sessions in the browser: what storage keeps of them, how they end, and how tabs follow each other. */
import { afterEach, expect, test, vi } from 'vitest';
import { bank, session } from '#contract/constants.ts';
import * as appMessages from '#contract/messages/app.ts';
import { ida, wren as storedWren, tokenExpiringAt } from '../../../tests/sessions.ts';
import { keepPress } from './keptPress.ts';
import { adminLoggedIn, adminLoggedOut, customerLoggedIn, loggedOut, logOut } from './session.ts';
import { toText } from './sessionStorage.ts';
import { makeStore } from './store.ts';
import { compareClocks, isExpired } from './token.ts';

const inAnHour = () => Math.floor(Date.now() / 1000) + session.lifeSeconds;

function wren(token = tokenExpiringAt(inAnHour())) {
  return {
    ...storedWren,
    middleName: 'Ada',
    gender: 'female' as const,
    address: bank.address,
    region: 'New York',
    zipCode: '10014',
    phoneNumber: '2125550100',
    idCard: null,
    isVerified: false,
    isFrozen: false,
    balance: 12.5,
    token,
  };
}
const stored = (key: string) =>
  JSON.parse(localStorage.getItem(key) ?? 'null') as Record<string, unknown> | null;

/** Another tab writes to storage: the browser notifies every tab but the one that wrote. */
function anotherTabWrites(key: string, newValue: string | null) {
  if (newValue === null) localStorage.removeItem(key);
  else localStorage.setItem(key, newValue);
  window.dispatchEvent(new StorageEvent('storage', { key, newValue, storageArea: localStorage }));
}

afterEach(() => {
  localStorage.clear();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("storage keeps the listed fields of a customer's session and nothing else [ST-02, ST-35, ST-36, E-01]", () => {
  makeStore().dispatch(customerLoggedIn(wren()));
  expect(Object.keys(stored('user') ?? {}).sort()).toEqual(
    ['_id', 'firstName', 'lastName', 'email', 'avatar', 'accountNumber', 'isApproved', 'token'].sort(),
  );
});

test("storage keeps the listed fields of an administrator's session and nothing else [ST-03, ST-16, ST-37]", () => {
  const admin = ida;
  makeStore().dispatch(adminLoggedIn({ ...admin, role: 'root' } as typeof admin));
  expect(stored('admin')).toEqual(admin);
});

test('a returning customer is still logged in, and logging out leaves nothing behind [ST-02, ST-14]', () => {
  makeStore().dispatch(customerLoggedIn(wren()));
  const later = makeStore();
  expect(later.getState().auth.user?.firstName).toBe('Wren');
  later.dispatch(loggedOut());
  expect(later.getState().auth.user).toBeNull();
  expect([localStorage.length, sessionStorage.length]).toEqual([0, 0]);
});

test.each([
  ['expired', tokenExpiringAt(1)],
  ['unreadable', 'not-a-token'],
])('a stored session whose token is %s is deleted [ST-12, ST-13]', (_, token) => {
  localStorage.setItem('user', JSON.stringify(wren(token)));
  localStorage.setItem('admin', JSON.stringify({ ...ida, token }));
  const { auth, adminSession } = makeStore().getState();
  expect([auth.user, adminSession.admin]).toEqual([null, null]);
  expect(localStorage.length).toBe(0);
});

test('a stored session that has no token or cannot be read counts as logged out [ST-12, ST-13]', () => {
  for (const text of [JSON.stringify({ ...wren(), token: undefined }), '{"_id":', '[]', '"x"']) {
    localStorage.setItem('user', text);
    expect(makeStore().getState().auth.user, text).toBeNull();
  }
});

test('a stored session with a field of another type counts as logged out, because no page could show it [ST-12]', () => {
  for (const changes of [{ firstName: {} }, { accountNumber: 5 }, { avatar: 'x' }, { isApproved: 'yes' }]) {
    localStorage.setItem('user', JSON.stringify({ ...wren(), ...changes }));
    expect(makeStore().getState().auth.user, JSON.stringify(changes)).toBeNull();
  }
});

test('a customer who logs out in one tab is logged out in the other', () => {
  const tab = makeStore();
  tab.dispatch(customerLoggedIn(wren()));
  anotherTabWrites('user', null);
  expect(tab.getState().auth.user).toBeNull();
});

test('a customer whose session ended in another tab reads that on the login page, and whether a transfer is unanswered [ST-14]', () => {
  const tab = makeStore();
  tab.dispatch(customerLoggedIn(wren()));
  anotherTabWrites('user', null);
  expect(tab.getState().auth.message).toBe('You were logged out.');
  tab.dispatch(customerLoggedIn(wren()));
  keepPress({ key: 'k', customerId: '1', session: 's', pressedAt: Date.now(), body: {} });
  anotherTabWrites('user', null);
  expect(tab.getState().auth.message).toBe('You were logged out. Log in to check your transfer.');
});

test('clearing the browser’s storage in another tab logs out, and a change of `sessionStorage` does not', () => {
  const tab = makeStore();
  tab.dispatch(customerLoggedIn(wren()));
  window.dispatchEvent(new StorageEvent('storage', { key: 'user', storageArea: sessionStorage }));
  expect(tab.getState().auth.user?._id).toBe('1');
  window.dispatchEvent(new StorageEvent('storage', { key: null, storageArea: localStorage }));
  expect(tab.getState().auth.user).toBeNull();
});

test('a login in one tab reaches the other, which does not write it back', () => {
  const tab = makeStore();
  const text = toText('user', wren());
  const write = vi.spyOn(Storage.prototype, 'setItem');
  anotherTabWrites('user', text);
  expect(tab.getState().auth.user?.accountNumber).toBe('482109375527');
  expect(write.mock.calls.filter(([key]) => key === 'user')).toHaveLength(1);
});

test("another customer's login in another tab first ends this customer's session", () => {
  const tab = makeStore();
  tab.dispatch(customerLoggedIn(wren()));
  const seen: unknown[] = [];
  tab.subscribe(() => seen.push(tab.getState().auth.user?._id));
  anotherTabWrites('user', JSON.stringify({ ...wren(), _id: '2', firstName: 'Jun' }));
  expect(seen).toEqual([undefined, '2']);
  expect(tab.getState().auth.user?.balance).toBeUndefined();
});

test('a page that the Back button restores follows what other tabs did in the meantime [ST-51]', () => {
  const tab = makeStore();
  tab.dispatch(customerLoggedIn(wren()));
  const returnTo = () => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  returnTo();
  expect(tab.getState().auth.user?.balance).toBe(12.5);
  localStorage.setItem('user', JSON.stringify({ ...wren(), _id: '2', firstName: 'Jun' }));
  returnTo();
  expect(tab.getState().auth.user?.firstName).toBe('Jun');
  expect(tab.getState().auth.user?.balance).toBeUndefined();
  localStorage.removeItem('user');
  returnTo();
  expect(tab.getState().auth.user).toBeNull();
});

test("an administrator's logout and the customer's logout in the same browser each end only their own session", () => {
  const tab = makeStore();
  const people = () => {
    const { auth, adminSession } = tab.getState();
    return [auth.user?._id, adminSession.admin?._id, stored('user')?._id, stored('admin')?._id];
  };
  tab.dispatch(customerLoggedIn(wren()));
  tab.dispatch(adminLoggedIn(ida));
  expect(people()).toEqual(['1', '7', '1', '7']);
  tab.dispatch(adminLoggedOut());
  expect(people()).toEqual(['1', undefined, '1', undefined]);
  tab.dispatch(adminLoggedIn(ida));
  tab.dispatch(loggedOut());
  expect(people()).toEqual([undefined, '7', undefined, '7']);
});

test("an administrator's login and logout in one tab reach the other", () => {
  const tab = makeStore();
  anotherTabWrites('admin', toText('admin', ida));
  expect(tab.getState().adminSession.admin?.name).toBe('Ida Moss');
  anotherTabWrites('admin', null);
  expect(tab.getState().adminSession.admin).toBeNull();
});

test.each([-3, 3])(
  'in a browser whose clock is wrong by %i hours, a session lasts an hour [ST-54]',
  hours => {
    vi.useFakeTimers();
    const iat = Math.floor(Date.now() / 1000) - hours * 3600;
    const token = `.${btoa(JSON.stringify({ iat, exp: iat + session.lifeSeconds }))}.`;
    compareClocks(token);
    vi.advanceTimersByTime((session.lifeSeconds - 60) * 1000);
    expect(isExpired(token)).toBe(false);
    vi.advanceTimersByTime(120_000);
    expect(isExpired(token)).toBe(true);
    compareClocks(`.${btoa(JSON.stringify({ iat: Math.floor(Date.now() / 1000) }))}.`);
    expect(localStorage.length).toBe(0);
  },
);

test('a token that expires while the page is open logs out and shows why [ST-12, ST-13]', () => {
  vi.useFakeTimers();
  const tab = makeStore();
  tab.dispatch(adminLoggedIn({ ...ida, token: tokenExpiringAt(Math.floor(Date.now() / 1000) + 30) }));
  tab.dispatch(customerLoggedIn(wren(tokenExpiringAt(Math.floor(Date.now() / 1000) + 30))));
  vi.advanceTimersByTime(29_000);
  expect(tab.getState().auth.user?._id).toBe('1');
  expect(tab.getState().adminSession.admin?._id).toBe('7');
  vi.advanceTimersByTime(session.tokenCheckMs);
  expect(tab.getState().auth.user).toBeNull();
  expect(tab.getState().adminSession.admin).toBeNull();
  expect(tab.getState().auth.message).toBe(appMessages.sessionEnded);
});

test('a token that expired while the laptop slept logs out as soon as the page is seen again [ST-12, ST-13]', () => {
  vi.useFakeTimers();
  const tab = makeStore();
  tab.dispatch(customerLoggedIn(wren()));
  // Timers do not run during the sleep.
  vi.setSystemTime(Date.now() + (session.lifeSeconds + 1) * 1000);
  expect(tab.getState().auth.user?._id).toBe('1');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(tab.getState().auth.user).toBeNull();
});

test('files and cents pass through the store, which does not check that they are serializable [K-14]', () => {
  const complained = vi.spyOn(console, 'error');
  const payload = { cents: 1n, file: new File(['x'], 'me.png') };
  makeStore().dispatch({ type: 'anything', payload });
  expect(complained).not.toHaveBeenCalled();
});

test('exp counts in seconds, and a token is expired in the second it names [ST-13]', () => {
  const token = tokenExpiringAt(1_000, '?>?>');
  expect(isExpired(token, 999_999)).toBe(false);
  expect(isExpired(token, 1_000_000)).toBe(true);
  expect(isExpired(undefined)).toBe(true);
});

test('logging out takes effect in the browser before the server answers, and the server gets the token even if the page closes', async () => {
  const requests: unknown[] = [];
  vi.stubGlobal('fetch', async (path: string, { headers, keepalive }: RequestInit) => {
    requests.push([path, new Headers(headers).get('authorization'), { keepalive }]);
    throw new TypeError('offline');
  });
  const tab = makeStore();
  const customer = wren();
  tab.dispatch(customerLoggedIn(customer));
  const done = tab.dispatch(logOut());
  expect(tab.getState().auth.user).toBeNull();
  await done;
  expect(requests).toEqual([['/api/v1/auth/logout', `Bearer ${customer.token}`, { keepalive: true }]]);
});

test('when a session ends, an applicant reads to check the email for an answer; a customer only reads to log in again [SD-07]', () => {
  const messageAfter = (isApproved: boolean) => {
    const store = makeStore();
    store.dispatch(customerLoggedIn({ ...wren(), isApproved }));
    store.dispatch(loggedOut('ended'));
    return store.getState().auth.message;
  };
  expect(messageAfter(false)).toBe(
    'Your session has ended. Please log in again. If you can’t, check your email. We may have answered your application.',
  );
  expect(messageAfter(true)).toBe('Your session has ended. Please log in again.');
});
