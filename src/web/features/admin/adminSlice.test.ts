/** What the panel stores about an administrator's last step, and its cached pages of users, tested with real store calls. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as adminMessages from '#contract/messages/admin.ts';
import * as appMessages from '#contract/messages/app.ts';
import * as authMessages from '#contract/messages/auth.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import { adminLoggedIn, adminLoggedOut } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { adminCalls } from './adminCalls.ts';
import { adminReset, adminSlice } from './adminSlice.ts';

const json = (status: number, body: object) => new Response(JSON.stringify(body), { status });
const margit = { _id: 'a1', email: 'margit@larkspur.example', name: 'Margit Sole', token: 'a.b.c' };
const blank = {
  isLoading: false,
  isSuccess: false,
  isError: false,
  message: '',
  credit: { isSending: false, unknown: [], outcome: null },
};

let answer: () => Response;
let store: ReturnType<typeof makeStore>;
const lastStep = () => adminSlice.selectors.lastStep(store.getState());
const logIn = () =>
  store.dispatch(
    adminCalls.endpoints.adminLogin.initiate({ body: { email: 'm@x.example', password: 'wrong' } }),
  );

beforeEach(() => {
  vi.stubGlobal('fetch', async () => answer());
  store = makeStore();
});
afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

describe('the result of an administrator’s last act', () => {
  test('is a failure with the bank’s own sentence after a wrong password, and empty once it is reset', async () => {
    answer = () =>
      json(401, { success: false, code: 'BAD_CREDENTIALS', message: authMessages.badCredentials });
    await logIn();
    expect(lastStep()).toEqual({ ...blank, isError: true, message: authMessages.badCredentials });
    store.dispatch(adminReset());
    expect(lastStep()).toEqual(blank);
  });

  test('is a success after a login', async () => {
    answer = () => json(200, { success: true, message: adminMessages.loggedIn, data: margit });
    await logIn();
    expect(lastStep()).toEqual({ ...blank, isSuccess: true, message: adminMessages.loggedIn });
  });

  test('is a failure with the bank’s own sentence when a list cannot be fetched [ER-17]', async () => {
    store.dispatch(adminLoggedIn(margit));
    answer = () => json(503, { success: false, code: 'BUSY', message: errorMessages.busy });
    await store.dispatch(adminCalls.endpoints.pendingApprovals.initiate());
    expect(lastStep()).toEqual({ ...blank, isError: true, message: errorMessages.busy });
  });

  test('says that the session has ended, not that a call was refused, when the session expires', async () => {
    store.dispatch(adminLoggedIn(margit));
    answer = () => json(401, { success: false, code: 'TOKEN_EXPIRED', message: errorMessages.tokenExpired });
    await store.dispatch(adminCalls.endpoints.adminStats.initiate());
    expect(lastStep()).toEqual({ ...blank, message: appMessages.sessionEnded });
  });

  test('is cleared when the administrator logs out', async () => {
    answer = () =>
      json(401, { success: false, code: 'BAD_CREDENTIALS', message: authMessages.badCredentials });
    await logIn();
    store.dispatch(adminLoggedOut());
    expect(lastStep()).toEqual(blank);
  });
});

describe('a cached page of users', () => {
  const user = (_id: string) => ({ _id, isFrozen: false });
  const page = () =>
    adminCalls.endpoints.users.select({ query: { page: 1 } })(store.getState() as never).data;

  beforeEach(async () => {
    store.dispatch(adminLoggedIn(margit));
    answer = () =>
      json(200, {
        success: true,
        message: adminMessages.users,
        data: { users: [user('u1'), user('u2')], totalPages: 1, currentPage: 1, totalUsers: 2 },
      });
    await store.dispatch(adminCalls.endpoints.users.initiate({ query: { page: 1 } }, { subscribe: false }));
  });

  test('shows a frozen account as frozen without a refetch', async () => {
    answer = () =>
      json(200, { success: true, message: adminMessages.frozen, data: { userId: 'u2', isFrozen: true } });
    const freeze = adminCalls.endpoints.freeze.initiate({ params: { id: 'u2' }, body: { isFrozen: true } });
    await store.dispatch(freeze);
    expect(page()?.users.map(({ isFrozen }) => isFrozen)).toEqual([false, true]);
  });

  test('does not change when the freeze is refused', async () => {
    answer = () => json(403, { success: false, code: 'FORBIDDEN', message: errorMessages.forbidden });
    const freeze = adminCalls.endpoints.freeze.initiate({ params: { id: 'u2' }, body: { isFrozen: true } });
    await store.dispatch(freeze);
    expect(page()?.users.map(({ isFrozen }) => isFrozen)).toEqual([false, false]);
  });
});
