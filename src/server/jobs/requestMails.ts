/** The mails about a request for a second approval, and the end of requests that no person decides. */
import * as adminMessages from '#contract/messages/admin.ts';
import { recordAudit } from '../db/audit.ts';
import type { Database, Tx } from '../db/database.ts';
import { listApprovers } from '../people/approvals.ts';
import { decideRequest, lockExpiredRequests, lockRequestsAbout } from '../people/requestEnds.ts';
import { enqueueJob } from './queue.ts';

/** Enqueues a mail about a waiting request to all administrators who can approve requests, except those in `cannotDecide`. */
export async function mailWaitingRequest(
  tx: Tx,
  requestId: string,
  cannotDecide: readonly (string | undefined)[],
): Promise<void> {
  for (const personId of await listApprovers(tx))
    if (!cannotDecide.includes(personId))
      await enqueueJob(tx, 'mail', { template: 'request-waiting', personId, requestId });
}

/**
 * Mails the outcome of a request to the person who asked and the person who decided. If no second person decided, all
 * administrators who can approve requests get the mail.
 */
export async function mailEndedRequest(
  tx: Tx,
  requestId: string,
  { askedBy, decidedBy }: { askedBy: string; decidedBy?: string | undefined },
): Promise<void> {
  const second = decidedBy !== undefined && decidedBy !== askedBy ? [decidedBy] : await listApprovers(tx);
  for (const personId of new Set([askedBy, ...second]))
    await enqueueJob(tx, 'mail', { template: 'request-ended', personId, requestId });
}

/** Expires the requests that are past their deadline. Returns how many there were. */
export async function expireRequests(database: Database, signal?: AbortSignal): Promise<number> {
  let total = 0;
  for (let expired = 1; expired > 0 && !signal?.aborted; total += expired)
    expired = await database.inTransaction(expireNextRequests);
  return total;
}

/** Expires up to 100 requests that are past their deadline. */
export async function expireNextRequests(tx: Tx): Promise<number> {
  const requests = await lockExpiredRequests(tx);
  for (const { id, askedBy } of requests) {
    await decideRequest(tx, id, { status: 'expired' });
    await recordAudit(tx, { actor: { kind: 'system' }, action: 'request.expired', subject: id });
    await mailEndedRequest(tx, id, { askedBy });
  }
  return requests.length;
}

/** Ends the waiting requests about a customer whose account is being closed. `exceptId`: the request to close it, if any. */
export async function endRequestsAbout(
  tx: Tx,
  customerId: string,
  exceptId: string | undefined,
): Promise<void> {
  const reason = adminMessages.customerGone;
  for (const { id, askedBy } of await lockRequestsAbout(tx, customerId, exceptId)) {
    await decideRequest(tx, id, { status: 'failed', outcome: reason });
    await recordAudit(tx, {
      actor: { kind: 'system' },
      action: 'request.failed',
      subject: customerId,
      data: { request: id, reason },
    });
    await mailEndedRequest(tx, id, { askedBy });
  }
}
