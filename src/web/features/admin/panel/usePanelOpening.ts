/**
 * Loads the panel's data when it opens (figures, approvals, transactions, ID verifications, requests, messages, alerts,
 * screening, exceptions of the rail), whichever view is shown. The sidebar counts what this role can decide now. The views
 * share the cached answers, so nothing is fetched twice.
 */
import { adminApi } from '#contract/admin.ts';
import { alertsApi } from '#contract/alerts.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { railApi } from '#contract/rail.ts';
import { screeningApi } from '#contract/screening.ts';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import {
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
import { useMay } from './useRole.ts';

/**
 * Keeps the data fresh while the panel is mounted. Until its list is loaded, a count is 0, and `screening` undefined. A count
 * is 0 for a role that cannot act on the list.
 */
export function usePanelOpening(): Waiting {
  useAdminStatsQuery(undefined, pollingOptions);
  useAdminTransactionsQuery(undefined, pollingOptions);
  const approvals = useApprovalQueueQuery(undefined, pollingOptions);
  const verifications = useVerificationQueueQuery(undefined, pollingOptions);
  const requests = useRequestsQuery(waitingRequests, pollingOptions);
  const messages = useMessagesQuery(waitingMessages, pollingOptions);
  const alerts = useAlertsQuery(openAlerts, pollingOptions);
  const rail = useRailExceptionsQuery(openExceptions, pollingOptions);
  const hits = useOpenHits();
  const may = useMay();
  const count = (decision: Endpoint, waiting = 0) => (may(decision) ? waiting : 0);
  return {
    approvals: count(adminApi.approve, approvals.data?.ready),
    verifications: count(adminApi.verifyId, verifications.data?.ready),
    requests: requests.data?.forYou ?? 0,
    messages: messages.data?.forYou ?? 0,
    alerts: count(alertsApi.closeAlert, alerts.data?.open),
    screening: hits === undefined ? undefined : count(screeningApi.decideHit, hits),
    rail: count(railApi.resolveRailException, rail.data?.open),
  };
}
