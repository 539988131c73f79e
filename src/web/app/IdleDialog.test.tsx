/** The warning before a session ends, while the person is typing. */
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { customerLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../tests/renderWith.tsx';
import { wren } from '../../../tests/sessions.ts';
import { waitOptions } from '../../../tests/waiting.ts';
import { IdleDialog } from './IdleDialog.tsx';

test('a space or Enter from a person who is still typing does not close the warning that the session expires [ST-38]', async () => {
  const store = makeStore();
  store.dispatch(customerLoggedIn(wren));
  const onStay = vi.fn();
  renderWith(store, <IdleDialog cause="expiry" secondsLeft={300} onStay={onStay} />);
  const dialog = screen.getByRole('dialog', { name: 'Your session ends soon' });
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true), waitOptions);
  await userEvent.keyboard(' {Enter}');
  expect(onStay).not.toHaveBeenCalled();
  expect(store.getState().auth.user).not.toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  expect(onStay).toHaveBeenCalledOnce();
});
