/** Finds a second request for a credit that already waits, so that staff do not pay it twice by mistake. */
import { sql } from 'kysely';
import type { DecodedApproval } from '#contract/fourEyes.ts';
import type { Reader } from '../db/database.ts';

/** The request, with the id of the oldest other waiting request for the same customer, amount and description. */
export async function withSameCredit(reader: Reader, request: DecodedApproval): Promise<DecodedApproval> {
  const { _id, kind, status, customer, amount, description } = request;
  if (kind !== 'credit' || status !== 'pending' || !customer) return request;
  const found = await sql<{ id: string }>`
    SELECT id FROM approval_requests
     WHERE customer_id = ${customer._id} AND status = 'pending' AND expires_at > now() AND kind = 'credit'
       AND amount = ${amount ?? null} AND description = ${description ?? null} AND id <> ${_id}
     ORDER BY id LIMIT 1`.execute(reader);
  const [same] = found.rows;
  return same ? { ...request, sameRequestId: same.id } : request;
}
