/** Freezing and unfreezing the own account when the answer is lost. */
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { customerLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../../tests/renderWith.tsx';
import { wren } from '../../../../tests/sessions.ts';
import { waitOptions } from '../../../../tests/waiting.ts';
import { FreezeOwn } from './FreezeOwn.tsx';
import { SettingsNotice } from './SettingsNotice.tsx';

/**
 * Shows the freeze. Every change loses its answer. `arrives`: the bank makes the change anyway. `reading`: the next reading of
 * the state waits for it.
 */
function show(byYou: boolean, arrives: boolean, reading = Promise.resolve()) {
  let isFrozen = byYou;
  let changes = 0;
  vi.stubGlobal('fetch', async (_: string, { method }: RequestInit) => {
    if (method !== 'GET') {
      changes++;
      if (arrives) isFrozen = !isFrozen;
      throw new TypeError('Failed to fetch');
    }
    if (changes > 0) await reading;
    return Response.json({ success: true, message: '', data: { byYou: isFrozen, byBank: false } });
  });
  const store = makeStore();
  store.dispatch(customerLoggedIn(wren));
  renderWith(
    store,
    <>
      <SettingsNotice />
      <FreezeOwn />
    </>,
  );
}
const press = async (name: string) =>
  userEvent.click(await screen.findByRole('button', { name }, waitOptions));

test.each([
  ['Freeze my account', 'Freezing...', false, 'Your account is frozen. No money can leave it.'],
  ['Unfreeze my account', 'Unfreezing...', true, 'Your account is no longer frozen.'],
])(
  'after the answer to "%s" was lost, its button is busy until the customer reads that it worked; no error is shown [ER-18]',
  async (name, busy, byYou, done) => {
    const reading = Promise.withResolvers<void>();
    show(byYou, true, reading.promise);
    await press(name);
    await screen.findByRole('button', { name: busy }, waitOptions);
    expect(screen.queryByText(/Network error|answer/)).toBeNull();
    await act(async () => reading.resolve());
    await screen.findByText(done, {}, waitOptions);
    expect(screen.queryByText(/Network error|answer/)).toBeNull();
  },
);

test('a customer who presses Enter after the last digit of the code that unfreezes the account does not freeze it again [BR-60]', async () => {
  show(true, true);
  const button = await screen.findByRole('button', { name: 'Unfreeze my account' }, waitOptions);
  button.focus();
  await userEvent.keyboard('{Enter}');
  await screen.findByRole('button', { name: 'Freeze my account' }, waitOptions);
  expect(document.activeElement?.textContent).toBe('Your account is not frozen.');
  await userEvent.keyboard('{Enter}');
  expect(screen.queryByRole('button', { name: 'Freezing...' })).toBeNull();
});

test('if a freeze did not arrive, the customer reads that nothing has changed so far [ER-18]', async () => {
  show(false, false);
  await press('Freeze my account');
  await screen.findByText(/^We didn’t get an answer, and nothing has changed so far/, {}, waitOptions);
  screen.getByRole('button', { name: 'Freeze my account' });
  expect(screen.queryByText(/Network error/)).toBeNull();
});
