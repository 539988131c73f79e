/** The areas of the store. `auth` is always in it; these four add themselves when they are loaded. */
import { expect, test } from 'vitest';
import { makeStore } from '#web/base/store.ts';
import '#web/features/admin/adminSlice.ts';
import '#web/features/settings/settingsSlice.ts';
import '#web/features/transactions/transactionsSlice.ts';
import '#web/features/transfer/transferSlice.ts';

test('the store keeps the five areas of state, each under its own key [ST-01]', () => {
  expect(Object.keys(makeStore().getState())).toEqual(
    expect.arrayContaining(['auth', 'transactions', 'transfer', 'settings', 'admin']),
  );
});
