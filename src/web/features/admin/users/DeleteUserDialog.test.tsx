/** What the question before a deletion says. */
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { adminLoggedIn } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../../../tests/renderWith.tsx';
import { ida } from '../../../../../tests/sessions.ts';
import { DeleteUserDialog } from './DeleteUserDialog.tsx';

test.each([
  [
    'match',
    /^This customer is the listed person\. Check first whether the account may be deleted\. The match is erased/,
  ],
  [
    'open',
    /^This customer may be the listed person\. It’s better to decide the match first\. The match is erased/,
  ],
])(
  'an administrator who deletes a customer with a match in state %s reads that the match is erased too [SX-07]',
  async (state, said) => {
    const user = {
      _id: 'u1',
      firstName: 'Jun',
      lastName: 'Takeda',
      email: '',
      balance: 0,
      avatar: { url: '' },
    };
    vi.stubGlobal('fetch', (address: string) => {
      const data = address.includes('/u1/screening')
        ? [{ _id: 'h1', state }]
        : address.includes('/screening')
          ? { hits: [], open: 1, list: { entries: 1 } }
          : { _id: 'u1' };
      return Promise.resolve(Response.json({ success: true, message: '', data }));
    });
    const store = makeStore();
    store.dispatch(adminLoggedIn(ida));
    renderWith(
      store,
      <DeleteUserDialog user={user} onCancel={() => {}} onDeleted={() => {}} onFailed={() => {}} />,
    );
    expect(await screen.findByText(said, {}, { timeout: 5_000 })).toBeTruthy();
  },
);
