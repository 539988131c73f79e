/** Finds a second request for a credit that already waits, so that staff do not pay it twice by mistake. */
import { sql } from 'kysely';
import type { DecodedApproval } from '#contract/fourEyes.ts';
import type { Reader } from '../db/database.ts';
import { isSameWords } from '../db/sameWords.ts';

/** The id of the oldest other waiting request for the same customer, amount and description. */
export async function findSameRequest(
  reader: Reader,
  { _id, customer, amount, description }: DecodedApproval,
): Promise<string | undefined> {
  const found = await sql<{ id: string }>`
    SELECT id FROM approval_requests
     WHERE customer_id = ${customer?._id ?? null} AND status = 'pending' AND expires_at > now() AND kind = 'credit'
       AND amount = ${amount ?? null} AND ${isSameWords(sql`description`, description)} AND id <> ${_id}
     ORDER BY id LIMIT 1`.execute(reader);
  return found.rows[0]?.id;
}
