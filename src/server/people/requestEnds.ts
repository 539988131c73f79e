/** How requests for a second approval end: decided by a person, expired, or because the customer's account was closed. */
import { sql } from 'kysely';
import type { RequestState } from '#contract/fourEyes.ts';
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
 * Locks up to 100 pending requests about a customer, except `exceptId`, and returns who asked for each. Leaves out those that
 * a person is deciding now: an approval will find the account closed and fail.
 */
export async function lockRequestsAbout(
  tx: Tx,
  customerId: string,
  exceptId: string | undefined,
): Promise<{ id: string; askedBy: string }[]> {
  const found = await sql<{ id: string; askedBy: string }>`
    SELECT id, asked_by AS "askedBy" FROM approval_requests
     WHERE status = 'pending' AND customer_id = ${customerId} AND id IS DISTINCT FROM ${exceptId ?? null}::uuid
     ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED`.execute(tx);
  return found.rows;
}
