/** Where an applicant gets to after the login, and where the focus goes after a login that starts over. */
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import * as authMessages from '#contract/messages/auth.ts';
import { makeStore } from '#web/base/store.ts';
import { RouterProvider } from '#web/router/RouterProvider.tsx';
import { createMemoryRouter } from '../../../../tests/memoryRouter.tsx';
import { renderWith } from '../../../../tests/renderWith.tsx';
import { wren } from '../../../../tests/sessions.ts';
import { waitOptions } from '../../../../tests/waiting.ts';
import { LoginScreen } from './LoginScreen.tsx';

test.each([
  ['wants the settings', '/dashboard/settings', '/dashboard/settings'],
  ['wants no particular screen', '/dashboard', undefined],
])('an applicant who %s can go to %s from the notice after the login [L-23]', async (_, reached, wanted) => {
  vi.stubGlobal(
    'fetch',
    async () =>
      new Response(JSON.stringify({ success: true, message: '', data: { ...wren, isApproved: false } })),
  );
  const state = { step: 'code', email: wren.email, sentAtMs: 0, wanted };
  const router = createMemoryRouter(
    [
      { path: '/login', Component: LoginScreen },
      { path: '*', Component: () => <p>Arrived</p> },
    ],
    { initialEntries: [{ pathname: '/login', state }] },
  );
  renderWith(makeStore(), <RouterProvider router={router} />);
  await userEvent.click(await screen.findByLabelText('Digit 1 of 6', {}, waitOptions));
  await userEvent.paste('041973');
  await userEvent.click(screen.getByRole('button', { name: authMessages.verifyOtp }));
  await userEvent.click(await screen.findByRole('button', { name: 'Go to my application' }, waitOptions));
  await screen.findByText('Arrived', {}, waitOptions);
  expect(router.state.location.pathname).toBe(reached);
});

test('after a press of "Log in again" at the code step, the password field has the focus [L-24]', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ success: true, message: '', data: {} }));
  const state = { step: 'code', email: wren.email, sentAtMs: 0, begunAtMs: 0 };
  const router = createMemoryRouter([{ path: '/login', Component: LoginScreen }], {
    initialEntries: ['/login', { pathname: '/login', state }],
  });
  renderWith(makeStore(), <RouterProvider router={router} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Log in again' }, waitOptions));
  const field = await screen.findByLabelText('Password', {}, waitOptions);
  await waitFor(() => expect(document.activeElement).toBe(field), waitOptions);
});
