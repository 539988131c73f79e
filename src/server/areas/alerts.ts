/** Handlers of the alerts area. Every view except an empty list is audited. Each change is audited in its transaction. */
import type { alertsApi } from '#contract/alerts.ts';
import type { Handlers, Request } from '../http/serve.ts';
import type { Parts } from '../parts.ts';
import { listAlerts, lockOpenAlert, updateAlert } from '../people/alerts.ts';
import { refuseIfTaken } from '../people/takeOver.ts';
import { auditList } from './listAudit.ts';
import { recordAdminAct } from './recordAct.ts';
import { recordView } from './views.ts';

type Acting = Pick<Request<typeof alertsApi.assignAlert>, 'params' | 'admin' | 'address'>;

export function alertsHandlers(parts: Pick<Parts, 'database' | 'secrets'>): Handlers<typeof alertsApi> {
  const { database } = parts;
  /**
   * With a `note`, closes an open alert. Without a note, assigns the alert to the administrator. Refuses `CONFLICT` if the
   * alert is closed, or assigned to a colleague other than `takenFrom`.
   */
  const change = async (
    acting: Acting,
    { note, takenFrom }: { note?: string; takenFrom?: string | undefined },
  ) => {
    const { id } = acting.params;
    const { adminId } = acting.admin;
    const data = await database.inTransaction(async tx => {
      const { rule, customerId, owner } = await lockOpenAlert(tx, id);
      await refuseIfTaken(tx, owner, { adminId, takenFrom, isAssigning: note === undefined });
      const action = note === undefined ? 'alert.assigned' : 'alert.closed';
      await recordAdminAct(tx, acting, action, customerId ?? undefined, { alert: id, rule, reason: note });
      return await updateAlert(tx, id, { adminId, note });
    });
    return { data };
  };
  return {
    async alerts(request) {
      const data = await listAlerts(database.reader, request.query);
      const { customer } = request.query;
      if (data.alerts.length === 0) return { data };
      if (customer === undefined) await auditList(parts, request, 'alerts.listed', data.alerts);
      else await database.inTransaction(tx => recordView(tx, request, customer));
      return { data };
    },
    assignAlert: request => change(request, request.body ?? {}),
    closeAlert: request => change(request, request.body),
  };
}
