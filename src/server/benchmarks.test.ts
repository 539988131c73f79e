/** What the benchmarks prepare fits this version of the bank. No other test checks that: `npm test` runs no benchmark. */
import { expect, onTestFinished, test } from 'vitest';
import { adminCustomersApi } from '#contract/adminCustomers.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { transferApi } from '#contract/transfer.ts';
import { addCustomers, addStaff, appSecret, fund, logIn } from '../../bench/bank.ts';
import { openTestBank } from '../../tests/server.ts';

test('the customers and administrators of the benchmarks are logged in, and a customer can send the money', async () => {
  const bank = await openTestBank({ APP_SECRET: appSecret, JOBS: 'off' });
  onTestFinished(() => bank.close());
  const { database } = bank.test;
  const { ids, numbers } = await addCustomers(database.ownerPool, 2);
  await fund(database, numbers);
  const [token] = await logIn(database.ownerPool, 'customer', ids);
  const body = { receiverAccountNumber: numbers[1]!, amount: 1, description: '' };
  expect(await bank.call(transferApi.sendInternal, { token: token!, body })).toMatchObject({ status: 201 });
  expect((await bank.call(transactionsApi.balance, { token: token! })).body.data.balance).toBe(999_999);
  const [admin] = await logIn(database.ownerPool, 'admin', await addStaff(database.ownerPool, 1));
  expect((await bank.call(adminCustomersApi.customers, { token: admin! })).body.data.totalCustomers).toBe(2);
});
