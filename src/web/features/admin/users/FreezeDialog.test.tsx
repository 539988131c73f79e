/** The dialog before a freeze or an unfreeze: when a reason is required, and what it says if a colleague was faster. */
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import * as adminMessages from '#contract/messages/admin.ts';
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
  const act = { user: jun, isFrozen: false };
  renderWith(store, <FreezeDialog act={act} now={jun} onDone={() => {}} onClose={() => {}} />);
  expect(await screen.findByText(said, {}, { timeout: 5_000 })).toBeTruthy();
  expect(screen.getByRole('textbox', { name: 'Reason' })).toBeTruthy();
});

test('an administrator who freezes an account that a colleague has just frozen reads that it is frozen already, not that it succeeded [A-67]', async () => {
  const data = { userId: 'u1', isFrozen: true };
  vi.stubGlobal('fetch', async (_: string, { method }: RequestInit = {}) =>
    Response.json({ success: true, message: adminMessages.frozenBefore, data: method === 'PUT' ? data : [] }),
  );
  const store = makeStore();
  store.dispatch(adminLoggedIn(ida));
  const onDone = vi.fn();
  const active = { ...jun, isFrozen: false };
  const act = { user: active, isFrozen: true };
  renderWith(store, <FreezeDialog act={act} now={active} onDone={onDone} onClose={() => {}} />);
  await userEvent.type(await screen.findByRole('textbox', { name: /^Reason/ }), 'Card was stolen');
  await userEvent.click(screen.getByRole('button', { name: 'Freeze account' }));
  expect(await screen.findByText(adminMessages.frozenBefore)).toBeTruthy();
  expect(onDone).not.toHaveBeenCalled();
  expect(screen.queryByRole('button', { name: 'Freeze account' })).toBeNull();
});
