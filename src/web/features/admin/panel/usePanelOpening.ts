/**
 * Loads the panel's data when it opens (figures, approvals, transactions, ID verifications, requests, messages, alerts,
 * screening, exceptions of the rail), whichever view is shown. The sidebar counts what can be decided now. The views share the
 * cached answers, so nothing is fetched twice.
 */
import {
  pollingOptions,
  useAdminStatsQuery,
  useAdminTransactionsQuery,
  useApprovalQueueQuery,
  useVerificationQueueQuery,
} from '../adminCalls.ts';
import { openAlerts, useAlertsQuery } from '../alerts/alertsCalls.ts';
import { useMessagesQuery, waitingMessages } from '../deskCalls.ts';
import { openExceptions, useRailExceptionsQuery } from '../rail/railCalls.ts';
import { useOpenHits } from '../screening/screeningCalls.ts';
import { useRequestsQuery, waitingRequests } from '../staffCalls.ts';
import type { Waiting } from './adminViews.ts';

/** Keeps the data fresh while the panel is mounted. Until a list is loaded, its count is 0; `screening` is undefined. */
export function usePanelOpening(): Waiting {
  useAdminStatsQuery(undefined, pollingOptions);
  useAdminTransactionsQuery(undefined, pollingOptions);
  const approvals = useApprovalQueueQuery(undefined, pollingOptions);
  const verifications = useVerificationQueueQuery(undefined, pollingOptions);
  const requests = useRequestsQuery(waitingRequests, pollingOptions);
  const messages = useMessagesQuery(waitingMessages, pollingOptions);
  const alerts = useAlertsQuery(openAlerts, pollingOptions);
  const rail = useRailExceptionsQuery(openExceptions, pollingOptions);
  return {
    approvals: approvals.data?.ready ?? 0,
    verifications: verifications.data?.ready ?? 0,
    requests: requests.data?.forYou ?? 0,
    messages: messages.data?.forYou ?? 0,
    alerts: alerts.data?.open ?? 0,
    screening: useOpenHits(),
    rail: rail.data?.open ?? 0,
  };
}
