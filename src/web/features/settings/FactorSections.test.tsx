/**
 * Setting up and removing second factors when the answer is lost. Setting up is tested for staff too: `AccountView.test.tsx`.
 */
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import * as errorMessages from '#contract/messages/errors.ts';
import * as factorsMessages from '#contract/messages/factors.ts';
import { api } from '#web/base/api.ts';
import { customerLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../../tests/renderWith.tsx';
import { wren } from '../../../../tests/sessions.ts';
import { waitOptions } from '../../../../tests/waiting.ts';
import { FactorSections } from './FactorSections.tsx';
import { FreezeOwn } from './FreezeOwn.tsx';

const credential = { id: 'c', response: {} };
vi.mock('@simplewebauthn/browser', () => ({
  browserSupportsWebAuthn: () => true,
  startRegistration: async () => credential,
}));

// jsdom does not implement `scrollIntoView`.
const scrolled = vi.fn();
Element.prototype.scrollIntoView = function () {
  scrolled(this.textContent);
};

const off = { isEnabled: false, recoveryCodesLeft: 0, mustEnroll: false };
const on = { ...off, isEnabled: true, enabledAt: '2026-11-02T15:04:00.000Z', recoveryCodesLeft: 10 };

const passkey = { _id: '1', name: 'My phone', createdAt: on.enabledAt };

type Opened = { arrives: boolean; canRead?: () => boolean; hasBoth?: boolean; confirmsFrom?: string };

/**
 * Opens the sections, with an app and a passkey if the customer `hasBoth`. The answer to a change is lost; the bank makes the
 * change if it `arrives`. `canRead`: the state can be read. `confirmsFrom`: when the app and the passkey can confirm. The
 * account can be frozen beside them.
 */
function open({ arrives, canRead = () => true, hasBoth = false, ...waits }: Opened) {
  vi.stubGlobal('PublicKeyCredential', class {});
  const state = {
    app: hasBoth ? { ...on, ...waits } : off,
    passkeys: hasBoth ? [{ ...passkey, ...waits }] : [],
    isFrozen: false,
  };
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    const answer = (data: unknown) => Response.json({ success: true, message: '', data });
    if (method === 'GET' && !canRead()) throw new TypeError('Failed to fetch');
    if (url.endsWith('/user/freeze')) {
      if (method === 'POST') Object.assign(state, { isFrozen: true, app: on, passkeys: [passkey] });
      return answer({ byYou: state.isFrozen, byBank: false });
    }
    if (method === 'GET') return answer(url.endsWith('/passkeys') ? state.passkeys : state.app);
    if (method === 'POST' && url.endsWith('/totp'))
      return answer({ secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/Larkspur' });
    if (url.endsWith('/options')) return answer({});
    if (hasBoth) {
      if (arrives && method === 'DELETE')
        Object.assign(state, url.endsWith('/totp') ? { app: off } : { passkeys: [] });
      throw new TypeError('Failed to fetch');
    }
    if (state.app.isEnabled) {
      const conflict = { success: false, code: 'CONFLICT', message: factorsMessages.appExists };
      return Response.json(conflict, { status: 409 });
    }
    if (arrives && method === 'PUT') state.app = on;
    else if (arrives) state.passkeys = [passkey];
    throw new TypeError('Failed to fetch');
  });
  const store = makeStore();
  store.dispatch(customerLoggedIn(wren));
  renderWith(
    store,
    <>
      <FreezeOwn />
      <FactorSections />
    </>,
  );
  return { state, store };
}

const press = async (name: string) =>
  userEvent.click(await screen.findByRole('button', { name }, waitOptions));
async function turnOn() {
  await press('Set up app');
  await userEvent.type(await screen.findByLabelText('Six-digit code', {}, waitOptions), '123456');
  await press('Turn on');
}
const isOn = async () => {
  await screen.findByText(/^Your authenticator app is on, but we couldn’t show you its/, {}, waitOptions);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
  expect(screen.queryByText(/Network error|You already have an authenticator app|codes left/)).toBeNull();
  await screen.findByRole('button', { name: 'New recovery codes' }, waitOptions);
};

test('after the answer of "Turn on" was lost, the customer reads that the app is on, and where to get recovery codes [ER-18]', async () => {
  open({ arrives: true });
  await turnOn();
  await isOn();
  await waitFor(
    () => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Authenticator app' })),
    waitOptions,
  );
  // The whole sentence is in view.
  expect(scrolled.mock.calls).toEqual([[expect.stringMatching(/^Your authenticator app is on, but/)]]);
});

test('after the app is removed elsewhere, the customer no longer reads that it is on [ER-18]', async () => {
  const { state, store } = open({ arrives: true });
  await turnOn();
  await isOn();
  state.app = off;
  act(() => void store.dispatch(api.util.invalidateTags(['Factors'])));
  await screen.findByRole('button', { name: 'Set up app' }, waitOptions);
  expect(screen.queryByText(/^Your authenticator app is on/)).toBeNull();
});

test('after a "Turn on" that did not arrive, the customer reads at the code that nothing has changed so far [ER-18]', async () => {
  open({ arrives: false });
  await turnOn();
  await screen.findByText(errorMessages.actUndone, {}, waitOptions);
});

test('if the state can’t be read after a lost "Turn on", the customer reads so, and at the next press that the app is on [ER-18]', async () => {
  let canRead = true;
  open({ arrives: true, canRead: () => canRead });
  await press('Set up app');
  await userEvent.type(await screen.findByLabelText('Six-digit code', {}, waitOptions), '123456');
  canRead = false;
  await press('Turn on');
  await screen.findByText(errorMessages.actUnknown, {}, waitOptions);
  canRead = true;
  await press('Turn on');
  await isOn();
});

test.each([
  ['sees it in the list', true],
  ['reads that nothing has changed so far', false],
])('after the answer to a new passkey was lost, the customer %s [ER-18]', async (_, arrives) => {
  open({ arrives });
  await press('Add passkey');
  const form = within(await screen.findByRole('dialog', {}, waitOptions));
  await userEvent.type(form.getByLabelText('Name'), 'My phone');
  await press('Continue');
  if (arrives) await screen.findByText('My phone', {}, waitOptions);
  else await form.findByText(errorMessages.actUndone, {}, waitOptions);
  if (arrives) await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
  expect(screen.queryByText(/Network error/)).toBeNull();
});

test('a customer reads from when a new app and a new passkey can confirm payments, until that time has come [BR-09]', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: Date.parse(on.enabledAt) });
  onTestFinished(() => void vi.useRealTimers());
  const confirmsFrom = '2026-11-03T15:03:30.000Z';
  open({ arrives: true, hasBoth: true, confirmsFrom });
  const line = 'Can confirm payments from Nov 3, 2026, 10:04 AM';
  expect(await screen.findAllByText(line, {}, waitOptions)).toHaveLength(2);
  vi.setSystemTime(confirmsFrom);
  await act(async () => vi.advanceTimersByTime(1000));
  expect(screen.queryByText(line)).toBeNull();
});

test('a customer no longer reads from when a new app and a new passkey can confirm once the account is frozen [BR-09]', async () => {
  open({ arrives: true, hasBoth: true, confirmsFrom: '2099-11-03T15:03:30.000Z' });
  expect(await screen.findAllByText(/^Can confirm/, {}, waitOptions)).toHaveLength(2);
  await press('Freeze my account');
  await waitFor(() => expect(screen.queryByText(/^Can confirm/)).toBeNull(), waitOptions);
  screen.getByText('My phone');
});

const removals = {
  'the app': async () => {
    await press('Remove app');
    const form = within(await screen.findByRole('dialog', {}, waitOptions));
    await userEvent.type(form.getByLabelText('Code from your app, or a recovery code'), '123456');
    await userEvent.click(form.getByRole('button', { name: 'Remove app' }));
    return 'Set up app';
  },
  'a passkey': async () => {
    await press('Remove My phone');
    const form = within(await screen.findByRole('dialog', {}, waitOptions));
    await userEvent.click(form.getByRole('button', { name: 'Remove' }));
    return 'Add passkey';
  },
};

test.each([
  ['the app', true],
  ['the app', false],
  ['a passkey', true],
  ['a passkey', false],
] as const)(
  'after the answer to removing %s was lost, the customer reads what became of it (removed: %s) [ER-18]',
  async (what, arrives) => {
    open({ arrives, hasBoth: true });
    const offered = await removals[what]();
    if (arrives) {
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
      await screen.findByRole('button', { name: offered }, waitOptions);
      const removed = what === 'the app' ? 'Remove app' : 'Remove My phone';
      await waitFor(() => expect(screen.queryByRole('button', { name: removed })).toBeNull(), waitOptions);
    } else await screen.findByText(errorMessages.actUndone, {}, waitOptions);
    expect(screen.queryByText(/Network error/)).toBeNull();
  },
);

test('after the answer with new recovery codes was lost, the customer reads that the old ones may have stopped working [ER-18]', async () => {
  open({ arrives: true, hasBoth: true });
  await press('New recovery codes');
  const form = within(await screen.findByRole('dialog', {}, waitOptions));
  await userEvent.type(form.getByLabelText('Code from your app'), '123456');
  await userEvent.click(form.getByRole('button', { name: 'New recovery codes' }));
  await screen.findByText(/Your old recovery codes may have stopped working/, {}, waitOptions);
});
