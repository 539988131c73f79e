/** The state of the transaction list's last load. */
import { afterEach, expect, test, vi } from 'vitest';
import { customerLoggedIn } from '#web/base/session.ts';
import { makeStore, type RootState } from '#web/base/store.ts';
import { wren } from '../../../../tests/sessions.ts';
import { transactionsClient } from './transactionsCalls.ts';
import { selectTransactions, transactionsReset } from './transactionsSlice.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

test('the result of the last load of the list is kept until it is reset [ST-07]', async () => {
  const store = makeStore();
  store.dispatch(customerLoggedIn(wren));
  const state = () => selectTransactions(store.getState() as RootState);
  const load = (page: number) =>
    store.dispatch(transactionsClient.endpoints.listTransactions.initiate({ query: { page } }));

  vi.stubGlobal(
    'fetch',
    async () => new Response(JSON.stringify({ success: false, message: 'Not now' }), { status: 503 }),
  );
  const refused = load(1);
  expect(state()).toEqual({ loading: true, success: false, error: false, message: '' });
  await refused;
  expect(state()).toEqual({ loading: false, success: false, error: true, message: 'Not now' });
  store.dispatch(transactionsReset());
  expect(state()).toEqual({ loading: false, success: false, error: false, message: '' });

  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ success: true, message: '', data: {} })));
  await load(2);
  expect(state()).toMatchObject({ loading: false, success: true, error: false });
});
