/**
 * How requests for a second approval end: decided by a person, expired, or because an account was closed or the sessions of the
 * person who asked were ended.
 */
import { sql } from 'kysely';
import type { RequestKind, RequestState } from '#contract/fourEyes.ts';
import type { Tx } from '../db/database.ts';

/** Decides a pending request whose row is locked. `decidedBy`: absent if no person ended it. */
export async function decideRequest(
  tx: Tx,
  id: string,
  decision: {
    status: Exclude<RequestState, 'pending'>;
    decidedBy?: string | undefined;
    outcome?: string | undefined;
    resultId?: string | undefined;
  },
): Promise<void> {
  await sql`
    UPDATE approval_requests
       SET status = ${decision.status}, decided_by = ${decision.decidedBy ?? null}, decided_at = now(),
           outcome = ${decision.outcome ?? null}, result_id = ${decision.resultId ?? null}
     WHERE id = ${id}`.execute(tx);
}

/** Locks up to 100 pending requests whose time is over and returns who asked for each. */
export async function lockExpiredRequests(tx: Tx): Promise<{ id: string; askedBy: string }[]> {
  const found = await sql<{ id: string; askedBy: string }>`
    SELECT id, asked_by AS "askedBy" FROM approval_requests
     WHERE status = 'pending' AND expires_at <= now() ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED`.execute(
    tx,
  );
  return found.rows;
}

/**
 * Locks up to 100 pending requests that a closed account makes impossible: requests about its customer, and reversals of
 * transfers from or to it. Leaves out those that a person is deciding now: an approval will find the account closed and fail.
 * `subject`: the customer or the transaction.
 */
export async function lockRequestsAboutClosed(
  tx: Tx,
): Promise<{ id: string; askedBy: string; kind: RequestKind; subject: string }[]> {
  const found = await sql<{ id: string; askedBy: string; kind: RequestKind; subject: string }>`
    SELECT id, asked_by AS "askedBy", kind, coalesce(customer_id, transaction_id) AS subject FROM approval_requests q
     WHERE status = 'pending'
       AND (EXISTS (SELECT FROM customers c WHERE c.id = q.customer_id AND c.deleted_at IS NOT NULL)
            OR kind = 'reversal'
               AND EXISTS (SELECT FROM transactions t JOIN ledger_accounts a ON a.id IN (t.sender_account, t.receiver_account)
                            WHERE t.id = q.transaction_id AND a.is_closed))
     ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED`.execute(tx);
  return found.rows;
}

/**
 * Locks the waiting requests of an administrator whom the caller has locked. Waits for a decision instead of skipping its
 * request, because a decision that waits for the administrator's lock would approve it. A decision locks in the other order: on
 * a deadlock, `inTransaction` retries.
 */
export async function lockRequestsOf(
  tx: Tx,
  adminId: string,
): Promise<{ id: string; askedBy: string; subject: string }[]> {
  const found = await sql<{ id: string; askedBy: string; subject: string }>`
    SELECT id, asked_by AS "askedBy", coalesce(customer_id, member_id, transaction_id, id) AS subject
      FROM approval_requests
     WHERE asked_by = ${adminId} AND status = 'pending' AND expires_at > now() ORDER BY id FOR UPDATE`.execute(
    tx,
  );
  return found.rows;
}
