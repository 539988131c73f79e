/** What prevents a customer from deleting the account: money that is left, including savings goals, and pending transfers. */
import { sumDollars } from '#contract/money.ts';
import { useListGoalsQuery } from '#web/features/goals/goalsCalls.ts';
import { useBalanceQuery, useListTransactionsQuery } from '#web/features/transactions/transactionsCalls.ts';

/** A value is undefined until it is loaded. `…Failed`: it could not be loaded. `saved` is never undefined: it is 0 instead. */
export function useDeletionConditions() {
  const balance = useBalanceQuery();
  const goals = useListGoalsQuery();
  // If the goals cannot be read, the bank checks them when the account is closed.
  const saved = goals.isError ? 0 : goals.data?.saved;
  const pending = useListTransactionsQuery({ query: { status: 'pending', limit: 1 } });
  return {
    balance: balance.data && saved !== undefined ? sumDollars(balance.data.balance, saved) : undefined,
    saved: saved ?? 0,
    balanceFailed: balance.isError,
    pendingCount: pending.data?.totalTransactions,
    pendingFailed: pending.isError,
  };
}
