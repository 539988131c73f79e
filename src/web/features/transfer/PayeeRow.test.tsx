/** Editing a payee, and saving one. */
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { Provider } from 'react-redux';
import { expect, test, vi } from 'vitest';
import * as errorMessages from '#contract/messages/errors.ts';
import type { Payee } from '#contract/payees.ts';
import { customerLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { wren } from '../../../../tests/sessions.ts';
import { waitOptions } from '../../../../tests/waiting.ts';
import { PayeeRow } from './PayeeRow.tsx';
import { useListPayeesQuery } from './payeesCalls.ts';
import { SavePayee } from './SavePayee.tsx';

const payee: Payee = {
  _id: '1',
  kind: 'internal',
  name: 'Ines Caldeira',
  accountNumber: '482109375527',
  createdAt: '2026-11-20T15:00:00.000Z',
};

/** The row of the only payee; while there is none, the offer to save the receiver. */
function Row() {
  const payees = useListPayeesQuery();
  const [isEdited, setIsEdited] = useState(true);
  const [listed] = payees.data ?? [];
  if (!listed) return <SavePayee payees={payees} receiver={receiver} />;
  return (
    <PayeeRow
      payee={listed}
      payees={payees}
      isEdited={isEdited}
      onEdit={setIsEdited}
      onPick={() => {}}
      list={{ current: null }}
    />
  );
}

const receiver = { kind: 'internal' as const, accountNumber: payee.accountNumber };

/** Opens the list. `act` answers a change, and may change what the bank has saved. */
async function open(act: (method: string, body: Partial<Payee>) => Response, saved = { now: [payee] }) {
  vi.stubGlobal('fetch', async (_: string, { method = '', body }: RequestInit) =>
    method === 'GET'
      ? Response.json({ success: true, message: '', data: saved.now })
      : act(method, JSON.parse((body as string) ?? '{}')),
  );
  const store = makeStore();
  store.dispatch(customerLoggedIn(wren));
  render(
    <Provider store={store}>
      <Row />
    </Provider>,
  );
  await screen.findByRole('button', { name: saved.now[0] ? 'Remove payee' : 'Save as payee' }, waitOptions);
}

test('while the row asks whether to remove the payee, Enter saves nothing, and Keep returns the focus [PY-12]', async () => {
  const changed = vi.fn();
  await open(changed);
  await userEvent.click(screen.getByRole('button', { name: 'Remove payee' }));
  await userEvent.type(screen.getByRole('textbox'), 'Landlord{Enter}');
  await userEvent.click(screen.getByRole('button', { name: 'Keep' }));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove payee' }));
  expect(changed).not.toHaveBeenCalled();
});

test('after saving a nickname, the focus is on the button that opened its field [PY-08]', async () => {
  await open(() => Response.json({ success: true, message: '', data: payee }));
  await userEvent.type(screen.getByRole('textbox'), 'Landlord{Enter}');
  await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull(), waitOptions);
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit Ines Caldeira' }));
});

test('after a nickname was not saved and the payee was not removed, only the newest error is shown, where it belongs [PY-13]', async () => {
  await open(method => {
    const message = method === 'DELETE' ? 'The payee was not removed.' : 'The nickname was not saved.';
    return Response.json({ success: false, code: 'FAULT', message }, { status: 500 });
  });
  await userEvent.type(screen.getByRole('textbox'), 'Landlord{Enter}');
  await screen.findByText('The nickname was not saved.', {}, waitOptions);
  expect(screen.getByRole('textbox').getAttribute('aria-invalid')).toBe('true');
  await userEvent.click(screen.getByRole('button', { name: 'Remove payee' }));
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
  await screen.findByText('The payee was not removed.', {}, waitOptions);
  expect(screen.queryByText('The nickname was not saved.')).toBeNull();
  expect(screen.getByRole('textbox').getAttribute('aria-invalid')).not.toBe('true');
  await userEvent.click(screen.getByRole('button', { name: 'Keep' }));
  expect(screen.queryByText('The payee was not removed.')).toBeNull();
});

const lost = () => {
  throw new TypeError('Failed to fetch');
};

test('after the answer to a new nickname was lost, the field closes without an error [ER-18]', async () => {
  const saved = { now: [payee] };
  await open((_, { nickname = '' }) => {
    saved.now = [{ ...payee, nickname: nickname.trim() }];
    return lost();
  }, saved);
  await userEvent.type(screen.getByRole('textbox'), 'Landlord {Enter}');
  await screen.findByRole('button', { name: 'Edit Landlord' }, waitOptions);
  expect(screen.queryByText(/Network error|didn’t get an answer/)).toBeNull();
});

test('after the answers to removing and saving a payee were lost, the customer sees that both worked [ER-18]', async () => {
  const saved = { now: [payee] };
  await open(method => {
    saved.now = method === 'POST' ? [payee] : [];
    return lost();
  }, saved);
  await userEvent.click(screen.getByRole('button', { name: 'Remove payee' }));
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Save as payee' }, waitOptions));
  await screen.findByRole('textbox', {}, waitOptions);
  expect(screen.queryByText(/Network error|didn’t get an answer/)).toBeNull();
});

test('after a lost press that did not reach the payees, the customer reads that nothing has changed so far [ER-18]', async () => {
  const saved = { now: [payee] };
  await open(lost, saved);
  await userEvent.type(screen.getByRole('textbox'), 'Landlord{Enter}');
  await screen.findByText(errorMessages.actUndone, {}, waitOptions);
  saved.now = [];
  cleanup();
  await open(lost, saved);
  await userEvent.click(screen.getByRole('button', { name: 'Save as payee' }));
  await screen.findByText(`Save as payee: ${errorMessages.actUndone}`, {}, waitOptions);
});
