/** What Settings shows after a change, and when that is cleared. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { authApi } from '#contract/auth.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import * as settingsMessages from '#contract/messages/settings.ts';
import * as stepUpMessages from '#contract/messages/stepUp.ts';
import { areaApi } from '#web/base/api.ts';
import { customerLoggedIn, loggedOut, selectAuth } from '#web/base/session.ts';
import { hostStepUps } from '#web/base/stepUp.ts';
import { makeStore, type RootState } from '#web/base/store.ts';
import { wren } from '../../../../tests/sessions.ts';
import { factorsClient } from './factorsCalls.ts';
import { settingsClient } from './settingsCalls.ts';
import { selectSettings, settingsReset } from './settingsSlice.ts';

const change = settingsClient.endpoints.changePassword.initiate({
  body: { currentPassword: '80412975', newPassword: '57920148' },
});
let store: ReturnType<typeof makeStore>;
const state = () => selectSettings(store.getState() as Required<RootState>);

/** The bank gives this answer to every call. */
function answer(status: number, body: object) {
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(body), { status }));
}

beforeEach(() => {
  store = makeStore();
  store.dispatch(customerLoggedIn(wren));
});
afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

test('a change is loading, then a success with the bank’s sentence [ST-09, OK-06]', async () => {
  answer(200, { success: true, message: settingsMessages.passwordUpdated, data: null });
  const changing = store.dispatch(change);
  expect(state().request).toBe('loading');
  await changing;
  expect(state()).toMatchObject({ request: 'success', message: settingsMessages.passwordUpdated });
});

test('a refusal shows the bank’s sentence, or the generic one if the bank sent none [ER-13]', async () => {
  answer(400, { success: false, code: 'BAD_PASSWORD', message: settingsMessages.wrongCurrentPassword });
  await store.dispatch(change);
  expect(state()).toMatchObject({ request: 'error', message: settingsMessages.wrongCurrentPassword });
  answer(400, {});
  await store.dispatch(change);
  expect(state()).toMatchObject({ request: 'error', message: errorMessages.fault });
});

test('a request that the customer canceled is not an error', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  const changing = store.dispatch(change);
  changing.abort();
  await changing;
  expect(state()).toMatchObject({ request: 'idle', message: '' });
});

test('leaving the screen and the end of the session both clear the state [ST-09]', async () => {
  answer(200, { success: true, message: settingsMessages.passwordUpdated, data: null });
  for (const end of [settingsReset(), loggedOut()]) {
    await store.dispatch(change);
    store.dispatch(end);
    expect(state()).toEqual({ request: 'idle', message: '' });
  }
});

test('adding a passkey clears the error of an earlier change, and is then a success with the bank’s sentence [SF-13]', async () => {
  answer(400, { success: false, code: 'BAD_PASSWORD', message: settingsMessages.wrongCurrentPassword });
  await store.dispatch(change);
  answer(200, { success: true, message: 'Passkey added', data: null });
  const { passkeyOptions, addPasskey } = factorsClient.endpoints;
  await store.dispatch(passkeyOptions.initiate());
  expect(state()).toEqual({ request: 'idle', message: '' });
  const body = { credential: {} as never, name: 'Phone' };
  await store.dispatch(addPasskey.initiate({ body }));
  expect(state()).toEqual({ request: 'success', message: 'Passkey added' });
  // The dialog shows a refusal, so the state does not.
  answer(409, { success: false, code: 'CONFLICT', message: 'This passkey is already saved' });
  await store.dispatch(addPasskey.initiate({ body }));
  expect(state()).toEqual({ request: 'idle', message: '' });
});

test('the login says that the account was deleted [OK-08]', () => {
  store.dispatch(loggedOut('deleted'));
  expect(selectAuth(store.getState())).toMatchObject({
    user: null,
    message: settingsMessages.accountDeleted,
  });
});

test('a customer whose answer to the deletion was lost, and whose session has then ended, reads that the account may be deleted [OK-08]', async () => {
  const { initiate } = settingsClient.endpoints.deleteAccount;
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('connection lost');
  });
  await store.dispatch(initiate({ body: { password: '80412975' } }));
  answer(401, { success: false, code: 'NOT_AUTHORIZED', message: 'Not authorized' });
  await store.dispatch(initiate({ body: { password: '80412975' } }));
  expect(selectAuth(store.getState())).toMatchObject({
    user: null,
    message:
      'Your session has ended, and your account may have been deleted. If it was, we’ll email you to confirm. If no email comes, log in again.',
  });
});

test('once the profile shows that a deletion with a lost answer did not arrive, the end of the session says nothing about it [OK-08]', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('connection lost');
  });
  const { initiate } = settingsClient.endpoints.deleteAccount;
  await store.dispatch(initiate({ body: { password: '80412975' } }));
  answer(200, { success: true, message: '', data: { ...wren, isFrozen: false } });
  await store.dispatch(areaApi(authApi, {}).endpoints.profile.initiate());
  store.dispatch(loggedOut('ended'));
  expect(selectAuth(store.getState()).message).toBe('Your session has ended. Please log in again.');
});

test('after a deletion that the bank refused, the end of the session says nothing about a deletion [OK-08]', async () => {
  const { initiate } = settingsClient.endpoints.deleteAccount;
  answer(400, { success: false, code: 'BAD_PASSWORD', message: settingsMessages.wrongPassword });
  await store.dispatch(initiate({ body: { password: '80412975' } }));
  store.dispatch(loggedOut('ended'));
  expect(selectAuth(store.getState()).message).toBe('Your session has ended. Please log in again.');
});

test('a customer who cancels the confirmation of a change reads that nothing was changed [BR-61]', async () => {
  const challenge = { _id: 'c1', methods: ['email'], expiresAt: '2026-11-23T12:00:00Z' };
  answer(403, { success: false, code: 'STEP_UP_REQUIRED', message: '', challenge });
  const release = hostStepUps(async () => undefined);
  const body = { currentPassword: '80412975', newPassword: '57920148' };
  const call = { body, confirms: 'Change it' };
  await store.dispatch(settingsClient.endpoints.changePassword.initiate(call));
  release();
  expect(state().message).toBe(`${stepUpMessages.canceled} Nothing was changed.`);
});
