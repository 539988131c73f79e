/** The alerts area's calls as hooks. */
import { alertsApi } from '#contract/alerts.ts';
import { areaApi } from '#web/base/api.ts';

export const { useAlertsQuery, useAssignAlertMutation, useCloseAlertMutation } = areaApi(alertsApi, {
  alerts: { provides: ['Alerts'] },
  assignAlert: { invalidates: ['Alerts', 'Customer'] },
  closeAlert: { invalidates: ['Alerts', 'Customer'] },
});

/** The first page of the open alerts: the list and the count in the sidebar share its answer. */
export const openAlerts = { query: { status: 'open' } } as const;
