/**
 * What opening the panel loads (figures, approvals, transactions, unverified IDs), whichever view is shown, and the
 * counts that follow from it. The views read the same answers, so nothing is fetched twice.
 */
import {
  useAdminStatsQuery,
  useAdminTransactionsQuery,
  usePendingApprovalsQuery,
  useUnverifiedIdsQuery,
} from './adminCalls.ts';
import type { Waiting } from './adminViews.ts';

/** Keeps the panel's answers fresh while it is mounted; counts are 0 until they are known. */
export function usePanelOpening(): Waiting {
  useAdminStatsQuery();
  useAdminTransactionsQuery();
  const { data: approvals = [] } = usePendingApprovalsQuery();
  const { data: verifications = [] } = useUnverifiedIdsQuery();
  return { approvals: approvals.length, verifications: verifications.length };
}
