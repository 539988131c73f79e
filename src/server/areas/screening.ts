/** Handlers of the screening area. Every decision is audited, and so is every view except an empty list. */
import { Refusal } from '#contract/errors.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import type { screeningApi } from '#contract/screening.ts';
import type { Handlers, Request } from '../http/serve.ts';
import type { Parts } from '../parts.ts';
import { readUser } from '../people/customerLists.ts';
import { decideHit } from '../people/screening.ts';
import { listCustomerHits, listHits } from '../people/screeningHits.ts';
import { auditList } from './listAudit.ts';
import { lockActor } from './recordAct.ts';
import { recordView } from './views.ts';

export function screeningHandlers(parts: Pick<Parts, 'database' | 'secrets'>): Handlers<typeof screeningApi> {
  const { database } = parts;
  const decide = async (
    { params: { id }, body: { reason }, admin, address }: Request<typeof screeningApi.reopenHit>,
    to: 'match' | 'no-match' | 'open',
    shownBirth?: string | null,
  ) => {
    const data = await database.inTransaction(async tx => {
      await lockActor(tx, admin);
      return await decideHit(tx, id, { adminId: admin.adminId, address, to, reason, shownBirth });
    });
    return { data };
  };
  return {
    async screening(request) {
      const data = await listHits(database.reader, request.query);
      if (data.hits.length > 0) await auditList(parts, request, 'screening.listed', data.hits);
      return { data };
    },

    async customerScreening({ params: { id }, admin, address }) {
      const data = await database.inTransaction(async tx => {
        if (!(await readUser(tx, id)))
          throw new Refusal('NOT_FOUND', { message: adminMessages.customerGone });
        await recordView(tx, { admin, address }, id);
        return await listCustomerHits(tx, id);
      });
      return { data };
    },

    decideHit: request =>
      decide(request, request.body.isMatch ? 'match' : 'no-match', request.body.dateOfBirth),
    reopenHit: request => decide(request, 'open'),
  };
}
