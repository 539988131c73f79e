/** What prevents a customer from deleting the account: money that is left, and pending transfers. */
import { useBalanceQuery, useListTransactionsQuery } from '#web/features/transactions/transactionsCalls.ts';

/** Undefined values are not known yet; `…Failed` says that they could not be loaded. */
export function useDeletionConditions() {
  const balance = useBalanceQuery();
  const pending = useListTransactionsQuery({ query: { status: 'pending', limit: 1 } });
  return {
    balance: balance.data?.balance,
    balanceFailed: balance.isError,
    pendingCount: pending.data?.totalTransactions,
    pendingFailed: pending.isError,
  };
}
