/** Editing a payee. */
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { Provider } from 'react-redux';
import { expect, test, vi } from 'vitest';
import type { Payee } from '#contract/payees.ts';
import { customerLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { wren } from '../../../../tests/sessions.ts';
import { waitOptions } from '../../../../tests/waiting.ts';
import { PayeeRow } from './PayeeRow.tsx';

const payee: Payee = {
  _id: '1',
  kind: 'internal',
  name: 'Ines Caldeira',
  accountNumber: '482109375527',
  createdAt: '2026-11-20T15:00:00.000Z',
};

function Row() {
  const [isEdited, setIsEdited] = useState(true);
  return (
    <PayeeRow
      payee={payee}
      isEdited={isEdited}
      onEdit={setIsEdited}
      onPick={() => {}}
      list={{ current: null }}
    />
  );
}

function open() {
  const store = makeStore();
  store.dispatch(customerLoggedIn(wren));
  render(
    <Provider store={store}>
      <Row />
    </Provider>,
  );
}

test('while the row asks whether to remove the payee, Enter saves nothing, and Keep returns the focus [PY-12]', async () => {
  const fetched = vi.fn();
  vi.stubGlobal('fetch', fetched);
  open();
  await userEvent.click(screen.getByRole('button', { name: 'Remove payee' }));
  await userEvent.type(screen.getByRole('textbox'), 'Landlord{Enter}');
  await userEvent.click(screen.getByRole('button', { name: 'Keep' }));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove payee' }));
  expect(fetched).not.toHaveBeenCalled();
});

test('after saving a nickname, the focus is on the button that opened its field [PY-08]', async () => {
  const saved = { success: true, message: '', data: payee };
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(saved)));
  open();
  await userEvent.type(screen.getByRole('textbox'), 'Landlord{Enter}');
  await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull(), waitOptions);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit Ines Caldeira' }));
});

test('after a nickname was not saved and the payee was not removed, only the newest error is shown [PY-13]', async () => {
  vi.stubGlobal('fetch', async (_: string, { method }: RequestInit) => {
    const message = method === 'DELETE' ? 'The payee was not removed.' : 'The nickname was not saved.';
    return Response.json({ success: false, code: 'FAULT', message }, { status: 500 });
  });
  open();
  await userEvent.type(screen.getByRole('textbox'), 'Landlord{Enter}');
  await screen.findByText('The nickname was not saved.', {}, waitOptions);
  await userEvent.click(screen.getByRole('button', { name: 'Remove payee' }));
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
  await screen.findByText('The payee was not removed.', {}, waitOptions);
  expect(screen.queryByText('The nickname was not saved.')).toBeNull();
});
