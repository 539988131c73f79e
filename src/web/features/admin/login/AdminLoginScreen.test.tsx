/** The administrator's login card: its messages, how long they show, and where a login leads. */
import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { admin as limits } from '#contract/constants.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import * as appMessages from '#contract/messages/app.ts';
import * as authMessages from '#contract/messages/auth.ts';
import * as texts from '#web/bank/factorTexts.ts';
import { adminLoggedIn, adminLoggedOut } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { useLocation } from '#web/router/hooks.ts';
import { RouterProvider } from '#web/router/RouterProvider.tsx';
import { createMemoryRouter } from '../../../../../tests/memoryRouter.tsx';
import { renderWith } from '../../../../../tests/renderWith.tsx';
import { AdminShell } from '../panel/AdminShell.tsx';
import { AdminLoginScreen } from './AdminLoginScreen.tsx';

let store: ReturnType<typeof makeStore>;
const margit = { _id: 'a', email: 'margit@larkspur.example', name: 'Margit Sole', token: 'a.b.c' };

function openLogin() {
  const router = createMemoryRouter(
    [
      { path: '/admin/login', Component: AdminLoginScreen },
      { path: '/admin/dashboard', element: <p>the panel</p> },
    ],
    { initialEntries: ['/admin/login'] },
  );
  renderWith(store, <RouterProvider router={router} />);
}

async function tryToLogIn() {
  fireEvent.change(screen.getByLabelText('Email'), { target: { value: 'margit@larkspur.example' } });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'not-the-password' } });
  fireEvent.click(screen.getAllByRole('button')[0]!);
  await act(async () => {
    await vi.advanceTimersByTimeAsync(50);
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  store = makeStore();
});
describe('an administrator at the login card', () => {
  test('reads for three seconds why the login failed', async () => {
    const refusal = { success: false, code: 'BAD_CREDENTIALS', message: authMessages.badCredentials };
    vi.stubGlobal('fetch', async () => new Response(JSON.stringify(refusal), { status: 401 }));
    openLogin();
    await tryToLogIn();
    expect(screen.getByText(authMessages.badCredentials).closest('[role=alert]')).not.toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(limits.loginErrorMs - 100));
    expect(screen.queryByText(authMessages.badCredentials)).not.toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(200));
    expect(screen.queryByText(authMessages.badCredentials)).toBeNull();
  });

  test('sees that the login is in progress', async () => {
    vi.stubGlobal('fetch', () => new Promise(() => {}));
    openLogin();
    await tryToLogIn();
    expect(screen.getAllByRole('button')[0]!.textContent).toBe(adminMessages.loggingIn);
  });

  test('reads a single message that a passkey was refused, until they type or press again', async () => {
    const refusal = { success: false, code: 'TOO_MANY', message: 'Too many attempts' };
    const answers = vi.fn(async () => new Response(JSON.stringify(refusal), { status: 429 }));
    vi.stubGlobal('fetch', answers);
    openLogin();
    const refused = async () => {
      fireEvent.click(screen.getByRole('button', { name: texts.logInWithPasskey }));
      await act(() => vi.advanceTimersByTimeAsync(50));
      expect(screen.queryByText(refusal.message)).not.toBeNull();
    };
    for (const label of ['Email', 'Password']) {
      await refused();
      fireEvent.change(screen.getByLabelText(label), { target: { value: `${label}!` } });
      expect(screen.queryByText(refusal.message)).toBeNull();
    }
    await refused();
    answers.mockReturnValue(new Promise(() => {}));
    fireEvent.click(screen.getByRole('button', { name: texts.logInWithPasskey }));
    expect(screen.queryByText(refusal.message)).toBeNull();
  });

  test('who already has a session goes straight to the panel', () => {
    store.dispatch(adminLoggedIn(margit));
    openLogin();
    expect(screen.getByText('the panel')).toBeTruthy();
  });

  test.each([
    ['followed a link to a request without a session', undefined, '?view=requests&request=1'],
    ['had a request open when the session ended', 'ended', '?view=requests&request=1'],
    ['logged out', 'logout', ''],
  ] as const)('who %s is led to the right view by the next login [AL-06]', async (_, before, after) => {
    vi.stubGlobal('fetch', (url: string) =>
      url.endsWith('/admin/login')
        ? Promise.resolve(new Response(JSON.stringify({ success: true, message: '', data: margit })))
        : new Promise(() => {}),
    );
    if (before) store.dispatch(adminLoggedIn(margit));
    const shown = { search: '' };
    function Panel() {
      shown.search = useLocation().search;
      return <AdminShell />;
    }
    const router = createMemoryRouter(
      [
        { path: '/admin/login', Component: AdminLoginScreen },
        { path: '/admin/dashboard', Component: Panel },
      ],
      { initialEntries: ['/admin/dashboard?view=requests&request=1'] },
    );
    renderWith(store, <RouterProvider router={router} />);
    if (before) act(() => void store.dispatch(adminLoggedOut(before === 'ended' ? 'ended' : undefined)));
    expect(screen.queryByText(appMessages.sessionEnded) !== null).toBe(before === 'ended');
    await tryToLogIn();
    expect(screen.queryByLabelText('Password')).toBeNull();
    expect(shown.search).toBe(after);
  });
});
