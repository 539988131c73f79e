/** The mails about a request for a second approval, and the end of requests that no person decides. */
import * as adminMessages from '#contract/messages/admin.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { recordAuditAll } from '../db/audit.ts';
import type { Database, Tx } from '../db/database.ts';
import { listApprovers } from '../people/approvals.ts';
import {
  decideRequest,
  lockExpiredRequests,
  lockRequestsAboutClosed,
  lockRequestsOf,
} from '../people/requestEnds.ts';
import { enqueueMails } from './queue.ts';

/** Enqueues a mail about a waiting request to all administrators who can approve requests, except those in `cannotDecide`. */
export async function mailWaitingRequest(
  tx: Tx,
  requestId: string,
  cannotDecide: readonly (string | undefined)[],
): Promise<void> {
  const others = (await listApprovers(tx)).filter(id => !cannotDecide.includes(id));
  await enqueueMails(
    tx,
    others.map(personId => ({ template: 'request-waiting', personId, requestId })),
  );
}

/**
 * Mails the outcome of a request to the person who asked and the person who decided. If that is the same person, all
 * administrators who can approve requests get the mail.
 */
export async function mailEndedRequest(
  tx: Tx,
  requestId: string,
  { askedBy, decidedBy }: { askedBy: string; decidedBy: string },
): Promise<void> {
  const others = decidedBy === askedBy ? await listApprovers(tx) : [decidedBy];
  await enqueueMails(tx, endMails(requestId, [askedBy, ...others]));
}

const endMails = (requestId: string, people: readonly string[]) =>
  [...new Set(people)].map(personId => ({ template: 'request-ended' as const, personId, requestId }));

/** Expires the requests that are past their deadline. Returns how many there were. */
export const expireRequests = (database: Database, signal?: AbortSignal): Promise<number> =>
  inBatches(database, expireNextRequests, signal);

/**
 * The task `end-requests`: ends the waiting requests that a closed account makes impossible. Closing an account enqueues it.
 * The hourly clean-up runs it again, for reversals that were requested while an account was being closed. Returns how many
 * requests there were.
 */
export const endRequestsAboutClosed = (database: Database, signal?: AbortSignal): Promise<number> =>
  inBatches(database, endNextAboutClosed, signal);

async function inBatches(
  database: Database,
  endNext: (tx: Tx) => Promise<number>,
  signal: AbortSignal | undefined,
): Promise<number> {
  let total = 0;
  for (let ended = 1; ended > 0 && !signal?.aborted; total += ended)
    ended = await database.inTransaction(endNext);
  return total;
}

/** Expires up to 100 requests that are past their deadline. */
export async function expireNextRequests(tx: Tx): Promise<number> {
  const requests = await lockExpiredRequests(tx);
  return await endAll(
    tx,
    requests.map(request => ({ ...request, status: 'expired', subject: request.id })),
  );
}

async function endNextAboutClosed(tx: Tx): Promise<number> {
  const requests = await lockRequestsAboutClosed(tx);
  return await endAll(
    tx,
    requests.map(request => ({
      ...request,
      status: 'failed',
      reason: request.kind === 'reversal' ? staffMessages.reversalClosed : adminMessages.customerGone,
    })),
  );
}

/**
 * Ends the waiting requests of an administrator whose sessions others have ended, or who set a password with a mailed link: a
 * thief at one of the sessions may have made them. Those of a disabled administrator end when the administrator is enabled
 * again; before that, no one can approve them. Returns how many there were.
 */
export async function failRequestsOf(tx: Tx, adminId: string): Promise<number> {
  const reason = staffMessages.askerLoggedOut;
  const requests = await lockRequestsOf(tx, adminId);
  return await endAll(
    tx,
    requests.map(request => ({ ...request, status: 'failed', reason })),
  );
}

/** Ends locked requests without a person's decision. Returns how many there were. */
async function endAll(
  tx: Tx,
  requests: readonly {
    id: string;
    askedBy: string;
    status: 'expired' | 'failed';
    /** The subject of the audit record about the end. */
    subject: string;
    reason?: string;
  }[],
): Promise<number> {
  if (requests.length === 0) return 0;
  for (const { id, status, reason } of requests) await decideRequest(tx, id, { status, outcome: reason });
  await recordAuditAll(
    tx,
    requests.map(({ id, status, subject, reason }) => ({
      actor: { kind: 'system' },
      action: `request.${status}`,
      subject,
      ...(reason !== undefined && { data: { request: id, reason } }),
    })),
  );
  const approvers = await listApprovers(tx);
  await enqueueMails(
    tx,
    requests.flatMap(({ id, askedBy }) => endMails(id, [askedBy, ...approvers])),
  );
  return requests.length;
}
