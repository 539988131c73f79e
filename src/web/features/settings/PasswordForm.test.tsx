/** Changing the password when the answer is lost or the bank is busy. */
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import * as errorMessages from '#contract/messages/errors.ts';
import * as settingsMessages from '#contract/messages/settings.ts';
import { customerLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../../tests/renderWith.tsx';
import { wren } from '../../../../tests/sessions.ts';
import { waitOptions } from '../../../../tests/waiting.ts';
import { PasswordForm } from './PasswordForm.tsx';
import { SettingsNotice } from './SettingsNotice.tsx';

const message = settingsMessages.wrongCurrentPassword;
const press = () => userEvent.click(screen.getByRole('button', { name: 'Update Password' }));

/** Fills in the form. `first` answers the first press; from the second on, the current password is wrong. */
async function fillIn(first: () => Response) {
  // jsdom has no layout.
  Element.prototype.scrollIntoView = () => {};
  let presses = 0;
  vi.stubGlobal('fetch', async () =>
    presses++ === 0
      ? first()
      : Response.json({ success: false, code: 'BAD_PASSWORD', message }, { status: 400 }),
  );
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
}

test('after a lost answer to a new password, the customer reads that the result is unknown, and at the second press what it is [ER-18]', async () => {
  await fillIn(() => {
    throw new TypeError('Failed to fetch');
  });
  await press();
  const unknown = await screen.findByText(
    /^We didn’t get an answer, so we don’t know whether your password was changed/,
    {},
    waitOptions,
  );
  expect(unknown.closest('.Banner--warning')).not.toBeNull();
  expect(screen.queryByText(/Network error/)).toBeNull();
  await press();
  await screen.findByText(/your password was changed\. Use the new one from now on/, {}, waitOptions);
  expect(screen.queryByText(message)).toBeNull();
});

test('a customer reads that the busy bank refused a new password, and at the next press that the current one is wrong [ER-13]', async () => {
  const busy = { success: false, code: 'BUSY', message: errorMessages.busy };
  await fillIn(() => Response.json(busy, { status: 503 }));
  await press();
  await screen.findByText(errorMessages.busy, {}, waitOptions);
  expect(screen.queryByText(/^We didn’t get an answer/)).toBeNull();
  await press();
  await screen.findByText(message, {}, waitOptions);
});

test('a customer who presses Update Password with all fields empty reads at each of the three what is missing [V-17]', async () => {
  await fillIn(() => Response.error());
  for (const field of document.querySelectorAll('input:not([hidden])')) await userEvent.clear(field);
  await press();
  expect(document.querySelectorAll('.PasswordForm [aria-invalid="true"]')).toHaveLength(3);
});
