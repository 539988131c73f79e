/** The store's areas. */
import { expect, test } from 'vitest';
import { makeStore } from '#web/base/store.ts';
import '#web/features/admin/adminSlice.ts';
import '#web/features/settings/settingsSlice.ts';
import '#web/features/transactions/transactionsSlice.ts';
import '#web/features/transfer/transferSlice.ts';

test('the store has the five client areas, each under its own key [ST-01]', () => {
  expect(Object.keys(makeStore().getState())).toEqual(
    expect.arrayContaining(['auth', 'transactions', 'transfer', 'settings', 'admin']),
  );
});
