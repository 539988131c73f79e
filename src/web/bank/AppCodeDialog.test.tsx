/** The dialog that asks for a password and a code before the authenticator app changes. */
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import * as authMessages from '#contract/messages/auth.ts';
import * as settingsMessages from '#contract/messages/settings.ts';
import { AppCodeDialog } from './AppCodeDialog.tsx';
import type { Outcome } from './factors.ts';

test('a wrong password is marked at the password, a wrong code at the code, with what to do [BR-60, SF-01]', async () => {
  const onSubmit = vi
    .fn<() => Promise<Outcome<unknown>>>()
    .mockResolvedValueOnce({ error: settingsMessages.wrongPassword, code: 'BAD_PASSWORD' })
    .mockResolvedValueOnce({ error: authMessages.badCode, code: 'VALIDATION' });
  render(
    <AppCodeDialog
      title="Remove your authenticator app?"
      text=""
      label="Code"
      submit="Remove app"
      passwordKind="text"
      onClose={vi.fn()}
      onSubmit={onSubmit}
    />,
  );
  const marked = () =>
    ['Password', 'Code'].filter(
      label => screen.getByLabelText(label).getAttribute('aria-invalid') === 'true',
    );
  const send = () => userEvent.click(screen.getByRole('button', { name: 'Remove app' }));
  await send();
  await screen.findByText(settingsMessages.wrongPassword);
  expect(marked()).toEqual(['Password']);
  await send();
  await screen.findByText(
    'Invalid or expired code. Check the time on your phone, wait for the next code and try again.',
  );
  expect(marked()).toEqual(['Code']);
});
