/** Changing the password when the answer is lost. */
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import * as settingsMessages from '#contract/messages/settings.ts';
import { customerLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../../tests/renderWith.tsx';
import { wren } from '../../../../tests/sessions.ts';
import { waitOptions } from '../../../../tests/waiting.ts';
import { PasswordForm } from './PasswordForm.tsx';
import { SettingsNotice } from './SettingsNotice.tsx';

test('after the answer to a new password was lost, the customer reads that it may be changed, and at the second press that it is [ER-18]', async () => {
  const message = settingsMessages.wrongCurrentPassword;
  // jsdom has no layout.
  Element.prototype.scrollIntoView = () => {};
  let presses = 0;
  vi.stubGlobal('fetch', async () => {
    if (presses++ === 0) throw new TypeError('Failed to fetch');
    return Response.json({ success: false, code: 'BAD_PASSWORD', message }, { status: 400 });
  });
  const store = makeStore();
  store.dispatch(customerLoggedIn(wren));
  renderWith(
    store,
    <>
      <SettingsNotice />
      <PasswordForm onEdited={() => {}} />
    </>,
  );
  const type = (label: string, digits: string) => userEvent.type(screen.getByLabelText(label), digits);
  await type('Current password', '48210937');
  await type('New password', '93710482');
  await type('Confirm password', '93710482');
  const press = () => userEvent.click(screen.getByRole('button', { name: 'Update Password' }));
  await press();
  await screen.findByText(
    /^We didn’t get an answer, so we don’t know whether your password was changed/,
    {},
    waitOptions,
  );
  expect(screen.queryByText(/Network error/)).toBeNull();
  await press();
  await screen.findByText(/your earlier press has changed it: use the new one from now on/, {}, waitOptions);
  expect(screen.queryByText(message)).toBeNull();
});
