/** Handlers of the unclaimed area. Lists are audited here, payouts by the ledger. A payout may need a second person. */
import { Refusal } from '#contract/errors.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import type { unclaimedApi } from '#contract/unclaimed.ts';
import type { Handlers, Request } from '../http/serve.ts';
import { readAmount, readTransaction } from '../ledger/history.ts';
import { listUnclaimed, type Payee, payoutKey, payUnclaimed, readUnpaid } from '../ledger/unclaimed.ts';
import { readHolder } from '../people/customerLists.ts';
import { auditList } from './listAudit.ts';
import { lockActor } from './recordAct.ts';
import { type ApprovalParts, askIfNeeded, refuseIfRequested } from './secondApproval.ts';

type Payout = Pick<Request<typeof unclaimedApi.payOutUnclaimed>, 'admin' | 'address' | 'idempotencyKey'>;

export function unclaimedHandlers(parts: ApprovalParts): Handlers<typeof unclaimedApi> {
  const { database } = parts;

  async function pay(
    { admin, address, idempotencyKey }: Payout,
    { sourceId, payee, reason }: { sourceId: string; payee: Payee; reason: string },
  ) {
    const { adminId } = admin;
    const order = { sourceId, payee, adminId, reason, idempotencyKey, address };
    const key = idempotencyKey === undefined ? undefined : payoutKey(order);
    // The amount is found even after the balance was paid out, so that a repeated key gets its first answer.
    const amountCents = await readAmount(database.reader, sourceId);
    const about = {
      kind: 'unclaimed',
      transactionId: sourceId,
      amountCents,
      leavesBank: 'bank' in payee,
      key,
    } as const;
    const approval = await askIfNeeded(parts, { admin, address }, about, async () => {
      const wanted = {
        kind: 'unclaimed',
        transactionId: sourceId,
        amountCents: await readUnpaid(database.reader, sourceId),
        reason,
      } as const;
      if ('bank' in payee) return { ...wanted, ...payee.bank };
      const holder = await readHolder(database.reader, payee.accountNumber);
      if (!holder) throw new Refusal('NOT_FOUND', { message: transferMessages.accountNotFound });
      if (!holder.isApproved) throw new Refusal('ACCOUNT_PENDING', { message: adminMessages.creditPending });
      return { ...wanted, customerId: holder.customerId };
    });
    if (approval) return { approval };
    const done = await database.inTransaction(async tx => {
      await lockActor(tx, admin);
      const paid = await payUnclaimed(tx, order);
      // A request may have been stored while the payout waited for the lock of the balances.
      if ('id' in paid) await refuseIfRequested(tx, sourceId, adminId);
      return paid;
    });
    if ('refusal' in done) throw done.refusal;
    return { data: (await readTransaction(database.reader, undefined, done.id))! };
  }

  return {
    async unclaimedBalances(request) {
      const data = await listUnclaimed(database.reader, request.query);
      await auditList(parts, request, 'unclaimed.listed', data.balances);
      return { data };
    },

    async payOutUnclaimed(request) {
      const { reason, ...bank } = request.body;
      return await pay(request, { sourceId: request.params.id, payee: { bank }, reason });
    },

    async assignUnclaimed(request) {
      const { reason, receiverAccountNumber: accountNumber } = request.body;
      return await pay(request, { sourceId: request.params.id, payee: { accountNumber }, reason });
    },
  };
}
