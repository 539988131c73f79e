/** Handlers of the contact queue. Each act is audited in its transaction, and the mail of an answer is enqueued in it too. */
import type { contactQueueApi } from '#contract/contactQueue.ts';
import { Refusal } from '#contract/errors.ts';
import * as contactMessages from '#contract/messages/contact.ts';
import type { Tx } from '../db/database.ts';
import type { Handlers, Request } from '../http/serve.ts';
import { enqueueJob } from '../jobs/queue.ts';
import type { Parts } from '../parts.ts';
import {
  assignMessage,
  closeMessage,
  countAnswers,
  insertAnswer,
  type LockedMessage,
  listMessages,
  lockMessage,
  readMessage,
} from '../people/contactMessages.ts';
import { refuseIfTaken } from '../people/takeOver.ts';
import { auditList } from './listAudit.ts';
import { recordAdminAct } from './recordAct.ts';
import { recordView } from './views.ts';

type Acting = Pick<Request<typeof contactQueueApi.closeMessage>, 'admin' | 'address' | 'params'>;
type Action = 'message.assigned' | 'message.answered' | 'message.closed';

export function contactQueueHandlers(
  parts: Pick<Parts, 'database' | 'secrets'>,
): Handlers<typeof contactQueueApi> {
  const { database } = parts;

  /** Locks a message, runs `work` and returns the changed message. `work` returns the actions to audit. */
  async function change(
    { params: { id }, ...acting }: Acting,
    work: (tx: Tx, message: LockedMessage) => Promise<Action[]>,
  ) {
    return await database.inTransaction(async tx => {
      const done = await work(tx, await lockMessage(tx, id));
      for (const action of done) await recordAdminAct(tx, acting, action, id);
      return { data: await readMessage(tx, id) };
    });
  }

  return {
    async messages(request) {
      const data = await listMessages(database.reader, request.query, request.admin);
      await auditList(parts, request, 'messages.listed', data.messages);
      return { data };
    },

    async contactMessage({ params: { id }, admin, address }) {
      return await database.inTransaction(async tx => {
        const data = await readMessage(tx, id);
        await recordView(tx, { admin, address }, id, 'message.viewed');
        return { data };
      });
    },

    assignMessage: request =>
      change(request, async (tx, { owner, isClosed }) => {
        const { adminId } = request.admin;
        if (owner === adminId && !isClosed) return [];
        const { takenFrom } = request.body ?? {};
        await refuseIfTaken(tx, owner, { adminId, takenFrom, isAssigning: true });
        await assignMessage(tx, request.params.id, adminId);
        return ['message.assigned'];
      }),

    answerMessage: request =>
      change(request, async (tx, { owner, isClosed }) => {
        const { adminId: author } = request.admin;
        const { text, isDone = false, answersSeen, takenFrom } = request.body;
        const { id: messageId } = request.params;
        const before = await countAnswers(tx, messageId);
        const answerId = await insertAnswer(tx, { messageId, author, text });
        if (answerId === undefined) {
          if (!isDone || isClosed) return [];
          await refuseIfTaken(tx, owner, { adminId: author, takenFrom });
          await closeMessage(tx, messageId);
          return ['message.closed'];
        }
        if (isClosed) throw new Refusal('CONFLICT', { message: contactMessages.closedBefore });
        if (answersSeen !== undefined && answersSeen !== before)
          throw new Refusal('CONFLICT', { message: contactMessages.answeredBefore });
        await refuseIfTaken(tx, owner, { adminId: author, takenFrom });
        if (owner === null) await assignMessage(tx, messageId, author);
        await enqueueJob(tx, 'mail', { template: 'contact-answer', answerId });
        if (!isDone) return ['message.answered'];
        await closeMessage(tx, messageId);
        return ['message.answered', 'message.closed'];
      }),

    closeMessage: request =>
      change(request, async (tx, { owner, isClosed }) => {
        if (isClosed) return [];
        const { adminId } = request.admin;
        await refuseIfTaken(tx, owner, { adminId, takenFrom: request.body?.takenFrom });
        if (owner === null) await assignMessage(tx, request.params.id, adminId);
        await closeMessage(tx, request.params.id);
        return ['message.closed'];
      }),
  };
}
