/**
 * What opening the panel loads (figures, approvals, transactions, unverified IDs), whichever view is shown, and the
 * counts that follow from it. The views read the same answers, so nothing is fetched twice.
 */
import {
  keptFresh,
  useAdminStatsQuery,
  useAdminTransactionsQuery,
  usePendingApprovalsQuery,
  useUnverifiedIdsQuery,
} from '../adminCalls.ts';
import type { Waiting } from './adminViews.ts';

/** Keeps the panel's answers fresh while it is mounted; counts are 0 until they are known. */
export function usePanelOpening(): Waiting {
  useAdminStatsQuery(undefined, keptFresh);
  useAdminTransactionsQuery(undefined, keptFresh);
  const { data: approvals = [] } = usePendingApprovalsQuery(undefined, keptFresh);
  const { data: verifications = [] } = useUnverifiedIdsQuery(undefined, keptFresh);
  return { approvals: approvals.length, verifications: verifications.length };
}
