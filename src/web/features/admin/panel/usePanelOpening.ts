/**
 * Loads the panel's data when it opens (figures, approvals, transactions, unverified IDs), whichever view is shown, and
 * derives the sidebar's counts. The views share the cached answers, so nothing is fetched twice.
 */
import {
  pollingOptions,
  useAdminStatsQuery,
  useAdminTransactionsQuery,
  usePendingApprovalsQuery,
  useUnverifiedIdsQuery,
} from '../adminCalls.ts';
import type { Waiting } from './adminViews.ts';

/** Keeps the panel's data fresh while it is mounted. Counts are 0 until they are loaded. */
export function usePanelOpening(): Waiting {
  useAdminStatsQuery(undefined, pollingOptions);
  useAdminTransactionsQuery(undefined, pollingOptions);
  const { data: approvals = [] } = usePendingApprovalsQuery(undefined, pollingOptions);
  const { data: verifications = [] } = useUnverifiedIdsQuery(undefined, pollingOptions);
  return { approvals: approvals.length, verifications: verifications.length };
}
