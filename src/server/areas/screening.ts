/** Handlers of the screening area. Every decision is audited, and so is every view except an empty list. */
import { Refusal } from '#contract/errors.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import type { screeningApi } from '#contract/screening.ts';
import type { Handlers } from '../http/serve.ts';
import type { Parts } from '../parts.ts';
import { readUser } from '../people/customerLists.ts';
import { decideHit, listCustomerHits, listHits } from '../people/screening.ts';
import { auditList } from './listAudit.ts';
import { recordView } from './views.ts';

export function screeningHandlers(parts: Pick<Parts, 'database' | 'secrets'>): Handlers<typeof screeningApi> {
  const { database } = parts;
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

    async decideHit({ params: { id }, body: { isMatch, reason }, admin: { adminId }, address }) {
      const decision = { adminId, address, to: isMatch ? 'match' : 'no-match', reason } as const;
      return { data: await database.inTransaction(tx => decideHit(tx, id, decision)) };
    },

    async reopenHit({ params: { id }, body: { reason }, admin: { adminId }, address }) {
      const decision = { adminId, address, to: 'open', reason } as const;
      return { data: await database.inTransaction(tx => decideHit(tx, id, decision)) };
    },
  };
}
