/** What the question before a reversal says. */
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { adminLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../../../tests/renderWith.tsx';
import { ida } from '../../../../../tests/sessions.ts';
import { ReverseButton } from './ReverseButton.tsx';

const person = (firstName: string) => ({ _id: firstName, firstName, lastName: 'Field', email: '' });

test.each([
  ['a credit', { type: 'admin-credit' }, /The customer is notified\.$/],
  ['a transfer', { type: 'transfer', sender: person('Ada') }, /Both customers are notified\.$/],
])('an administrator who reverses %s reads who is notified [SD-06]', async (_, of, said) => {
  const transaction = { _id: 't1', status: 'completed', amount: 12, receiver: person('Cy'), ...of };
  vi.stubGlobal('fetch', async (address: string) => {
    const data = address.includes('/transactions/') ? transaction : {};
    return Response.json({ success: true, message: '', data });
  });
  const store = makeStore();
  store.dispatch(adminLoggedIn({ ...ida, role: 'owner' }));
  renderWith(store, <ReverseButton id="t1" />);
  await userEvent.click(await screen.findByRole('button', { name: 'Reverse' }));
  expect(await screen.findByText(said)).toBeTruthy();
});
