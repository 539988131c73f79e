/** Handlers of the four eyes area: requests for a second approval, and the smallest amount that needs one. */
import { Refusal } from '#contract/errors.ts';
import type { fourEyesApi } from '#contract/fourEyes.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import type { Handlers } from '../http/serve.ts';
import {
  haveSecond,
  listApprovers,
  listRequests,
  readFourEyesFrom,
  readRequest,
} from '../people/approvals.ts';
import { auditList } from './listAudit.ts';
import { lockActor } from './recordAct.ts';
import { withSameCredit } from './sameCredits.ts';
import {
  type ApprovalParts,
  approveRequest,
  askIfNeeded,
  changeFourEyesFrom,
  endRequest,
} from './secondApproval.ts';

export function fourEyesHandlers(parts: ApprovalParts): Handlers<typeof fourEyesApi> {
  const { database, config } = parts;
  const readFourEyes = async () => ({
    from: await readFourEyesFrom(database.reader, config.fourEyesFromCents),
    approvers: (await listApprovers(database.reader)).length,
    isOn: await haveSecond(database.reader),
  });

  return {
    async requests(request) {
      const data = await listRequests(database.reader, request.query, request.admin);
      if (data.requests.length > 0) await auditList(parts, request, 'requests.listed', data.requests);
      return { data };
    },

    async request(request) {
      const data = await readRequest(database.reader, request.params.id);
      if (!data) throw new Refusal('NOT_FOUND', { message: staffMessages.noSuchRequest });
      await auditList(parts, { ...request, query: request.params }, 'requests.listed', [data]);
      return { data: await withSameCredit(database.reader, data) };
    },

    async approveRequest({ params: { id }, body, admin, address }) {
      return { data: await approveRequest(parts, { admin, address }, id, body?.sameCreditId) };
    },

    async declineRequest({ params: { id }, body: { reason }, admin, address }) {
      const how = { status: 'declined', reason } as const;
      return { data: await endRequest(parts, { admin, address }, id, how) };
    },

    async withdrawRequest({ params: { id }, admin, address }) {
      return { data: await endRequest(parts, { admin, address }, id, { status: 'withdrawn' }) };
    },

    async fourEyes() {
      return { data: await readFourEyes() };
    },

    async changeFourEyes({ body: { from: fromCents }, admin, address }) {
      const approval = await askIfNeeded(parts, { admin, address }, { kind: 'limit' }, async () => ({
        kind: 'limit',
        fromCents,
      }));
      if (approval) return { approval };
      const acting = { adminId: admin.adminId, address };
      await database.inTransaction(async tx => {
        await lockActor(tx, admin);
        await changeFourEyesFrom(tx, acting, fromCents);
      });
      return { data: await readFourEyes() };
    },
  };
}
