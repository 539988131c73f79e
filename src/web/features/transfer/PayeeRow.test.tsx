/** Editing a payee. */
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';
import { expect, test, vi } from 'vitest';
import type { Payee } from '#contract/payees.ts';
import { customerLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { wren } from '../../../../tests/sessions.ts';
import { PayeeRow } from './PayeeRow.tsx';

test('while asked about removing a payee, Enter saves nothing, and Keep returns the focus [PY-12]', async () => {
  const fetched = vi.fn();
  vi.stubGlobal('fetch', fetched);
  const payee: Payee = {
    _id: '1',
    kind: 'internal',
    name: 'Ines Caldeira',
    accountNumber: '482109375527',
    createdAt: '2026-11-20T15:00:00.000Z',
  };
  const store = makeStore();
  store.dispatch(customerLoggedIn(wren));
  render(
    <Provider store={store}>
      <PayeeRow payee={payee} isEdited onEdit={() => {}} onPick={() => {}} onRemoved={() => {}} />
    </Provider>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Remove payee' }));
  await userEvent.type(screen.getByRole('textbox'), 'Landlord{Enter}');
  await userEvent.click(screen.getByRole('button', { name: 'Keep' }));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove payee' }));
  expect(fetched).not.toHaveBeenCalled();
});
