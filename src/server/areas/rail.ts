/**
 * Handlers of the rail area. Changes are audited. Lists of exceptions and of deposits that were sent back are audited if they
 * are not empty, the same request once an hour.
 */
import { bank } from '#contract/constants.ts';
import type { railApi } from '#contract/rail.ts';
import type { Handlers, Request } from '../http/serve.ts';
import type { IncomingParts } from '../jobs/railIncoming.ts';
import { lockReference, retryLine } from '../jobs/railRetry.ts';
import {
  listRailExceptions,
  listRailFiles,
  listSentBack,
  lockOpenException,
  updateRailException,
} from '../ledger/railLists.ts';
import type { Parts } from '../parts.ts';
import { refuseIfTaken } from '../people/takeOver.ts';
import { auditList } from './listAudit.ts';
import { recordAdminAct } from './recordAct.ts';

type Acting = Pick<Request<typeof railApi.assignRailException>, 'params' | 'admin' | 'address'>;

export function railHandlers(parts: Pick<Parts, 'secrets'> & IncomingParts): Handlers<typeof railApi> {
  const { database } = parts;
  /**
   * Assigns an open exception to the administrator, resolves it with a `note`, or tries its line again. Refuses `CONFLICT` if
   * the exception is resolved, or assigned to a colleague other than `takenFrom`.
   */
  const change = async (
    acting: Acting,
    action: 'rail.assigned' | 'rail.resolved' | 'rail.retried',
    { note: given, takenFrom }: { note?: string; takenFrom?: string | undefined } = {},
  ) => {
    const { id } = acting.params;
    const { adminId } = acting.admin;
    const data = await database.inTransaction(async tx => {
      if (action === 'rail.retried') await lockReference(tx, id);
      const owner = await lockOpenException(tx, id);
      await refuseIfTaken(tx, owner, { adminId, takenFrom, isAssigning: action === 'rail.assigned' });
      const note = action === 'rail.retried' ? await retryLine(tx, parts, id) : given;
      const changed = await updateRailException(tx, id, { adminId, note });
      await recordAdminAct(tx, acting, action, id, {
        cents: Number(changed.amount),
        currency: changed.currency === bank.currency ? undefined : changed.currency,
        transaction: changed.transaction?._id,
        reason: note,
      });
      return changed;
    });
    return { data };
  };
  return {
    async railFiles({ query }) {
      return { data: await listRailFiles(database.reader, query) };
    },
    async sentBackDeposits(request) {
      const { params, query } = request;
      const data = await listSentBack(database.reader, params.id, query);
      const asked = { ...request, query: { ...query, file: params.id } };
      if (data.deposits.length > 0) await auditList(parts, asked, 'rail.sent-back-listed', data.deposits);
      return { data };
    },
    async railExceptions(request) {
      const data = await listRailExceptions(database.reader, request.query);
      if (data.exceptions.length > 0) await auditList(parts, request, 'rail.listed', data.exceptions);
      return { data };
    },
    assignRailException: request => change(request, 'rail.assigned', request.body),
    async retryRailException(request) {
      const { data } = await change(request, 'rail.retried', request.body);
      return { data, message: data.note! };
    },
    resolveRailException: request => change(request, 'rail.resolved', request.body),
  };
}
