/** What the browser's Back shows after a password reset. */
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { makeStore } from '#web/base/store.ts';
import { RouterProvider } from '#web/router/RouterProvider.tsx';
import { createMemoryRouter } from '../../../../tests/memoryRouter.tsx';
import { renderWith } from '../../../../tests/renderWith.tsx';
import { waitOptions } from '../../../../tests/waiting.ts';
import { ForgotPasswordScreen } from './ForgotPasswordScreen.tsx';

test('a customer who goes back after a password reset can ask for a new code, and is not asked for the used one [F-07]', async () => {
  vi.stubGlobal(
    'fetch',
    async () => new Response(JSON.stringify({ success: true, message: 'Done', data: {} })),
  );
  const router = createMemoryRouter(
    [
      { path: '/forgot-password', Component: ForgotPasswordScreen },
      { path: '/login', Component: () => <p>Log in</p> },
    ],
    { initialEntries: ['/forgot-password'] },
  );
  renderWith(makeStore(), <RouterProvider router={router} />);
  fireEvent.change(screen.getByLabelText('Email'), { target: { value: 'wren@larkspur.example' } });
  const sendCode = async () => userEvent.click(await screen.findByRole('button', { name: 'Send code' }));
  await sendCode();
  const typeCode = async () => {
    const box = await screen.findByLabelText('Digit 1 of 6', {}, waitOptions);
    await userEvent.click(box);
    await userEvent.paste('041973');
  };
  await typeCode();
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  for (const label of ['New password', 'Repeat new password'])
    fireEvent.change(await screen.findByLabelText(label, {}, waitOptions), { target: { value: '57921480' } });
  await userEvent.click(screen.getByRole('button', { name: 'Save new password' }));
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
