/** The alerts area's calls as hooks. */
import { alertsApi } from '#contract/alerts.ts';
import { areaApi } from '#web/base/api.ts';

export const { useAlertsQuery, useAssignAlertMutation, useCloseAlertMutation } = areaApi(alertsApi, {
  alerts: { provides: ['Alerts'] },
  assignAlert: { invalidates: ['Alerts', 'Customer'] },
  closeAlert: { invalidates: ['Alerts', 'Customer'] },
});

/** Requests the first page of the open alerts. The list and the sidebar's count share the answer. */
export const openAlerts = { query: { status: 'open' } } as const;
