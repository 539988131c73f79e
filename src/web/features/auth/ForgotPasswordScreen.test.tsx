/** What the browser's Back shows after a password reset, and what follows a reset that got no answer. */
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { authApi } from '#contract/auth.ts';
import * as authMessages from '#contract/messages/auth.ts';
import { makeStore } from '#web/base/store.ts';
import { RouterProvider } from '#web/router/RouterProvider.tsx';
import { createMemoryRouter } from '../../../../tests/memoryRouter.tsx';
import { renderWith } from '../../../../tests/renderWith.tsx';
import { waitOptions } from '../../../../tests/waiting.ts';
import { ForgotPasswordScreen } from './ForgotPasswordScreen.tsx';

/** Opens the screen, enters an email and a code, and saves a new password. */
async function resetPassword() {
  const router = createMemoryRouter(
    [
      { path: '/forgot-password', Component: ForgotPasswordScreen },
      { path: '/login', Component: () => <p>Log in</p> },
    ],
    { initialEntries: ['/forgot-password'] },
  );
  renderWith(makeStore(), <RouterProvider router={router} />);
  fireEvent.change(screen.getByLabelText('Email'), { target: { value: 'wren@larkspur.example' } });
  await sendCode();
  await typeCode();
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  for (const label of ['New password', 'Confirm password'])
    fireEvent.change(await screen.findByLabelText(label, {}, waitOptions), { target: { value: '57921480' } });
  await save();
  return router;
}
const sendCode = async () => userEvent.click(await screen.findByRole('button', { name: 'Send code' }));
const typeCode = async () => {
  await userEvent.click(await screen.findByLabelText('Digit 1 of 6', {}, waitOptions));
  await userEvent.paste('041973');
};
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save new password' }));

test('a customer whose reset got no answer reads after the next press that the password may have been changed [F-08]', async () => {
  let resets = 0;
  vi.stubGlobal('fetch', async (url: string) => {
    if (!url.endsWith(authApi.resetPassword.path))
      return new Response(JSON.stringify({ success: true, message: '', data: {} }));
    if (++resets === 1) throw new TypeError('Failed to fetch');
    const refusal = { success: false, code: 'BAD_CODE', message: authMessages.badCode };
    return new Response(JSON.stringify(refusal), { status: 401 });
  });
  await resetPassword();
  await userEvent.click(await screen.findByRole('button', { name: 'Close' }, waitOptions));
  await save();
  const problem = await screen.findByText(/^Invalid or expired code\. /, {}, waitOptions);
  expect(problem.textContent).toContain(
    'Your earlier press may have changed your password: try to log in with the new one.',
  );
});

test('a customer who goes back after a password reset can ask for a new code, and is not asked for the used one [F-07]', async () => {
  vi.stubGlobal(
    'fetch',
    async () => new Response(JSON.stringify({ success: true, message: 'Done', data: {} })),
  );
  const router = await resetPassword();
  await userEvent.click(await screen.findByRole('button', { name: 'Proceed to Login' }, waitOptions));
  await screen.findByText('Log in', {}, waitOptions);

  act(() => void router.navigate(-1));
  expect(await screen.findByText('Reset your password', {}, waitOptions)).toBeTruthy();
  expect(screen.queryByText('Check your email')).toBeNull();
  // Another reset from here works.
  await waitFor(
    () => expect(screen.getByLabelText<HTMLInputElement>('Email').value).not.toBe(''),
    waitOptions,
  );
  await sendCode();
  await typeCode();
  expect(screen.getByText('Check your email')).toBeTruthy();
});
