/** The dialog before an unfreeze asks for the reason that the bank requires for a match that is or was confirmed. */
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { adminLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../../../tests/renderWith.tsx';
import { ida } from '../../../../../tests/sessions.ts';
import { FreezeDialog } from './FreezeDialog.tsx';

const jun = { _id: 'u1', firstName: 'Jun', lastName: 'Takeda', isFrozen: true };

test.each([
  ['is a confirmed match', { state: 'match' }, /^This customer is a confirmed match/],
  [
    'was a confirmed match before the list changed',
    { state: 'open', earlier: { state: 'match' } },
    /^This customer was confirmed as a match/,
  ],
])('an administrator who unfreezes a customer who %s must enter a reason [SX-09]', async (_, hit, said) => {
  vi.stubGlobal('fetch', (address: string) => {
    const data = address.includes('/users/u1/screening')
      ? [{ _id: 'h1', ...hit }]
      : { hits: [], open: 1, list: { entries: 1 } };
    return Promise.resolve(Response.json({ success: true, message: '', data }));
  });
  const store = makeStore();
  store.dispatch(adminLoggedIn(ida));
  renderWith(store, <FreezeDialog user={jun} isFrozenNow={true} onDone={() => {}} onClose={() => {}} />);
  expect(await screen.findByText(said, {}, { timeout: 5_000 })).toBeTruthy();
  expect(screen.getByRole('textbox', { name: 'Reason' })).toBeTruthy();
});
