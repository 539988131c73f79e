/** The transactions area's calls as hooks: the list and its statistics, one transaction, balance, months, and outlook. */
import { transactionsApi } from '#contract/transactions.ts';
import { areaApi } from '#web/base/api.ts';

export const transactionsClient = areaApi(transactionsApi, {
  listTransactions: { provides: ['Transactions'] },
  transaction: { provides: ['Transactions'] },
  balance: { provides: ['Money'] },
  outlook: { provides: ['Money', 'Transactions', 'Scheduled', 'Goals'] },
  months: { provides: ['Transactions'] },
  monthTotals: { provides: ['Transactions'] },
});

export const {
  useListTransactionsQuery,
  useTransactionQuery,
  useBalanceQuery,
  useMonthsQuery,
  useOutlookQuery,
  useMonthTotalsQuery,
} = transactionsClient;
