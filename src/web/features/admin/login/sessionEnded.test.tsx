/** What an administrator reads if the session ended before the code of the panel was loaded. */
import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { session } from '#contract/constants.ts';
import * as appMessages from '#contract/messages/app.ts';
import * as authMessages from '#contract/messages/auth.ts';
import { watchIdle } from '#web/base/idle.ts';
import { writeLastAction } from '#web/base/lastAction.ts';
import { makeStore } from '#web/base/store.ts';
import { RouterProvider } from '#web/router/RouterProvider.tsx';
import { createMemoryRouter } from '../../../../../tests/memoryRouter.tsx';
import { renderWith } from '../../../../../tests/renderWith.tsx';
import { ida } from '../../../../../tests/sessions.ts';
import { waitOptions } from '../../../../../tests/waiting.ts';

test('an administrator who reopens the browser after the session ended reads why they must log in, until they try to [ST-39]', async () => {
  const refusal = { success: false, code: 'BAD_CREDENTIALS', message: authMessages.badCredentials };
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(refusal), { status: 401 }));
  localStorage.setItem('admin', JSON.stringify(ida));
  writeLastAction(Date.now() - (session.idleWarningSeconds + session.idleLogoutSeconds) * 1000);
  const store = makeStore();
  watchIdle(store, () => {}).stop();
  const { AdminLoginScreen } = await import('./AdminLoginScreen.tsx');
  const router = createMemoryRouter([{ path: '/', Component: AdminLoginScreen }]);
  renderWith(store, <RouterProvider router={router} />);
  expect(screen.getByText(appMessages.sessionEnded)).toBeTruthy();
  fireEvent.change(screen.getByLabelText('Email'), { target: { value: ida.email } });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'not-the-password' } });
  fireEvent.click(screen.getByRole('button', { name: authMessages.login }));
  expect(await screen.findByText(authMessages.badCredentials, {}, waitOptions)).toBeTruthy();
  expect(screen.queryByText(appMessages.sessionEnded)).toBeNull();
});
