/** The dashboard's frame when the customer changes, and when the account is frozen. */
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import * as errorMessages from '#contract/messages/errors.ts';
import { selectCustomer } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { type Arrival, destinationOf } from '#web/features/auth/arrival.ts';
import { SettingsNotice } from '#web/features/settings/SettingsNotice.tsx';
import { settingsClient } from '#web/features/settings/settingsCalls.ts';
import { RouterProvider } from '#web/router/RouterProvider.tsx';
import { createMemoryRouter } from '../../../../tests/memoryRouter.tsx';
import { renderLoggedIn, renderWith, success } from '../../../../tests/renderWith.tsx';
import { wren } from '../../../../tests/sessions.ts';
import { waitOptions } from '../../../../tests/waiting.ts';
import { DashboardShell } from './DashboardShell.tsx';
import { FrozenBanner } from './FrozenBanner.tsx';

const Shell = ({ Screen = () => <p>the screen</p> }) => (
  <RouterProvider
    router={createMemoryRouter([
      { Component: DashboardShell, children: [{ index: true, Component: Screen }] },
    ])}
  />
);

test('what a customer typed is gone when another tab logs another customer in [ST-53]', () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  renderLoggedIn(<Shell Screen={() => <input name="receiver" />} />);
  const field = () => document.querySelector<HTMLInputElement>('[name=receiver]');
  field()!.value = '730511842298';
  const newValue = JSON.stringify({ ...wren, _id: '2' });
  act(() => {
    dispatchEvent(new StorageEvent('storage', { key: 'user', newValue, storageArea: localStorage }));
  });
  expect(field()?.value).toBe('');
});

test('the page of a frozen customer waits until the bank has said who froze the account [BR-31]', async () => {
  const state = Promise.withResolvers<object>();
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    const answers: Record<string, Promise<object>> = {
      profile: Promise.resolve({ ...wren, isApproved: true, isFrozen: true }),
      freeze: state.promise,
    };
    const data = await (answers[url.split('/').at(-1)!] ?? new Promise<object>(() => {}));
    return success(data);
  });
  renderLoggedIn(<Shell />);
  await waitFor(() => expect(asked.some(url => url.endsWith('/freeze'))).toBe(true));
  expect(screen.queryByText(errorMessages.accountFrozen)).toBeNull();
  expect(screen.getByText('the screen').parentElement!.hidden).toBe(true);
  state.resolve({ byYou: true, byBank: false });
  expect(await screen.findByText('You froze your account.')).toBeTruthy();
  expect(screen.getByText('the screen').parentElement!.hidden).toBe(false);
});

test('outside Settings, the banner of a frozen customer says why unfreezing failed [BR-31]', async () => {
  const answers = [
    { status: 503, body: { success: false, code: 'UNAVAILABLE', message: 'Please try again later.' } },
    { status: 200, body: { success: true, message: 'Your account is no longer frozen.', data: null } },
  ];
  vi.stubGlobal('fetch', async (url: string) => {
    const { status, body } = url.endsWith('/unfreeze')
      ? answers.shift()!
      : { status: 200, body: { success: true, message: '', data: { byYou: true, byBank: false } } };
    return new Response(JSON.stringify(body), { status });
  });
  renderLoggedIn(<FrozenBanner />);
  await userEvent.click(await screen.findByRole('button', { name: 'Unfreeze' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Please try again later.');
  await userEvent.click(screen.getByRole('button', { name: 'Unfreeze' }));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

test('after unfreezing from the banner, which disappears, the focus is on the page [BR-31]', async () => {
  let isFrozen = true;
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.endsWith('/unfreeze')) isFrozen = false;
    const answers: Record<string, object> = {
      profile: { ...wren, isApproved: true, isFrozen },
      freeze: { byYou: isFrozen, byBank: false },
    };
    return success(answers[url.split('/').at(-1)!] ?? { notifications: [] });
  });
  renderLoggedIn(
    <main id="main" tabIndex={-1}>
      <Shell />
    </main>,
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Unfreeze' }));
  await waitFor(() => expect(screen.queryByText('You froze your account.')).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('main'));
});

test('the banner of a frozen applicant does not promise that money can arrive [AC-07]', async () => {
  vi.stubGlobal('fetch', async () => success({ byYou: true, byBank: false }));
  renderLoggedIn(<FrozenBanner />, { isApproved: false });
  await screen.findByText('You froze your account.');
  expect(screen.queryByText(/receive money/)).toBeNull();
  expect(screen.getByText('While it is frozen, you can’t change your details or add pictures.')).toBeTruthy();
});

test('an approved customer who is asked for a new ID document does not read "Verified" until it is uploaded [D-08]', async () => {
  let isRequested: object = { isIdRequested: true };
  vi.stubGlobal('fetch', async (url: string) =>
    url.endsWith('profile')
      ? success({ ...wren, isFrozen: false, ...isRequested })
      : Response.json({ success: false, code: 'FAULT', message: '' }, { status: 500 }),
  );
  const store = renderLoggedIn(<Shell />);
  await waitFor(() => expect(screen.queryByText('Verified')).toBeNull());
  expect(screen.queryByText('Pending Approval')).toBeNull();
  isRequested = {};
  act(() => void store.dispatch(settingsClient.util.invalidateTags(['Profile'])));
  expect(await screen.findByText('Verified')).toBeTruthy();
  // The overview reads this copy.
  expect(selectCustomer(store.getState())?.isIdRequested).toBe(false);
});

test('after the answer to unfreezing in Settings was lost, the customer reads that it worked, and no error [ER-18]', async () => {
  let byYou = true;
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.endsWith('/unfreeze')) {
      byYou = false;
      throw new TypeError('Failed to fetch');
    }
    return success({ byYou, byBank: false });
  });
  renderLoggedIn(
    <RouterProvider
      router={createMemoryRouter(
        [
          {
            path: '/dashboard/settings',
            Component: () => (
              <>
                <FrozenBanner />
                <SettingsNotice />
              </>
            ),
          },
        ],
        { initialEntries: ['/dashboard/settings'] },
      )}
    />,
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Unfreeze' }));
  await screen.findByText('Your account is no longer frozen.', {}, waitOptions);
  expect(screen.queryByRole('button', { name: /^Unfreez/ })).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('until the bank has said whether it wants an ID document, the badge only keeps its place [D-08]', async () => {
  const profile = Promise.withResolvers<object>();
  vi.stubGlobal('fetch', async (url: string) => {
    const data = await (url.endsWith('/profile') ? profile.promise : new Promise<object>(() => {}));
    return success(data);
  });
  renderLoggedIn(<Shell />, { isApproved: true });
  expect(screen.getByText('Verified').closest('.ShellHeader-status--unknown')).not.toBeNull();
  profile.resolve({ ...wren, isApproved: true });
  await waitFor(() => expect(document.querySelector('.ShellHeader-status--unknown')).toBeNull());
  expect(screen.getByText('Verified')).toBeTruthy();
});

test.each(['/dashboard/settings?tab=profile#id-document', '/dashboard#goals'])(
  'a visitor who follows a mail’s link to %s is there after the login, not at the top of the page [SD-07]',
  path => {
    const router = createMemoryRouter(
      [
        { path: '/login', Component: () => <p>the login</p> },
        { path: '*', Component: DashboardShell },
      ],
      { initialEntries: [path] },
    );
    renderWith(makeStore(), <RouterProvider router={router} />);
    expect(router.state.location.pathname).toBe('/login');
    expect(destinationOf(router.state.location.state as Arrival)).toBe(path);
  },
);
