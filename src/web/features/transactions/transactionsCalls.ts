/** The calls of the area transactions as hooks: the list with its statistics, the balance, the months. */
import { transactionsApi } from '#contract/transactions.ts';
import { areaApi } from '#web/base/api.ts';

export const transactionsClient = areaApi(transactionsApi, {
  listTransactions: { provides: ['Transactions'] },
  balance: { provides: ['Money'] },
  months: { provides: ['Transactions'] },
});

export const { useListTransactionsQuery, useBalanceQuery, useMonthsQuery } = transactionsClient;
