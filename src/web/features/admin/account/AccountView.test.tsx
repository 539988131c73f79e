/** An administrator's own password and authenticator app when the answer is lost. */
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import * as errorMessages from '#contract/messages/errors.ts';
import { adminLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { MemoryRouter } from '../../../../../tests/memoryRouter.tsx';
import { renderWith } from '../../../../../tests/renderWith.tsx';
import { ida } from '../../../../../tests/sessions.ts';
import { waitOptions } from '../../../../../tests/waiting.ts';
import { AccountView } from './AccountView.tsx';

// jsdom does not implement `scrollIntoView`.
Element.prototype.scrollIntoView = () => {};

const off = { isEnabled: false, recoveryCodesLeft: 0, mustEnroll: false };
const on = { ...off, isEnabled: true, enabledAt: '2026-11-02T15:04:00.000Z', recoveryCodesLeft: 10 };
const wrong = 'Current password is incorrect';
const lost = () => {
  throw new TypeError('Failed to fetch');
};

/** Opens the view. `answers` are the bank's answers to changes of the password, one for each press. */
function open(answers: (() => Response)[] = []) {
  let app = off;
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    const answer = (data: unknown) => Response.json({ success: true, message: '', data });
    if (url.endsWith('/passkeys')) return answer([]);
    if (method === 'GET') return answer(url.endsWith('/totp') ? app : ida);
    if (method === 'POST' && url.endsWith('/totp'))
      return answer({ secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/Larkspur' });
    if (!url.endsWith('/totp')) return answers.shift()!();
    app = on;
    return lost();
  });
  const store = makeStore();
  store.dispatch(adminLoggedIn(ida));
  renderWith(
    store,
    <MemoryRouter>
      <AccountView menu={undefined} />
    </MemoryRouter>,
  );
}

const press = async (name: string) =>
  userEvent.click(await screen.findByRole('button', { name }, waitOptions));
async function fillIn() {
  const type = async (label: string, text: string) =>
    userEvent.type(await screen.findByLabelText(label, {}, waitOptions), text);
  await type('Current password', 'the old sentence of mine');
  await type('New password', 'the new sentence of mine');
  await type('New password again', 'the new sentence of mine');
}
const refusal = () =>
  Response.json({ success: false, code: 'BAD_PASSWORD', message: wrong }, { status: 400 });

test('an administrator who leaves out the current password reads that this one field is missing [SD-05]', async () => {
  open();
  await fillIn();
  await userEvent.clear(screen.getByLabelText('Current password'));
  await press('Change password');
  expect(await screen.findByText('Please enter your current password')).toBeTruthy();
});

test('after a lost answer to a new password, an administrator reads that the result is unknown, and at the second press what it is [A-66]', async () => {
  open([lost, refusal]);
  await fillIn();
  await press('Change password');
  await screen.findByText(
    'We didn’t get an answer, so we don’t know whether your password was changed. Press Change password again to find out.',
    {},
    waitOptions,
  );
  await press('Change password');
  await screen.findByText(/your password was changed\. Use the new one from now on/, {}, waitOptions);
  expect(screen.queryByText(/Network error/)).toBeNull();
  expect(screen.queryByText(wrong)).toBeNull();
});

test('an administrator reads that the busy bank refused a new password, and at the next press that the current one is wrong [A-66]', async () => {
  const busy = { success: false, code: 'BUSY', message: errorMessages.busy };
  open([() => Response.json(busy, { status: 503 }), refusal]);
  await fillIn();
  await press('Change password');
  await screen.findByText(errorMessages.busy, {}, waitOptions);
  await press('Change password');
  await screen.findByText(wrong, {}, waitOptions);
});

test('after the answer of "Turn on" was lost, an administrator reads that the app is on, and is not asked to confirm it [A-66]', async () => {
  open();
  await press('Set up app');
  await userEvent.type(await screen.findByLabelText('Six-digit code', {}, waitOptions), '123456');
  await press('Turn on');
  await screen.findByText(/^Your authenticator app is on, but we couldn’t show you its/, {}, waitOptions);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), waitOptions);
  await screen.findByRole('button', { name: 'New recovery codes' }, waitOptions);
});
