/** Finds credits and requests like the one that staff are about to make or approve, so that they do not pay it twice by mistake. */
import { sql } from 'kysely';
import { staff } from '#contract/constants.ts';
import type { DecodedApproval, DecodedRecentCredit } from '#contract/fourEyes.ts';
import { inSnapshot, type Reader } from '../db/database.ts';
import { isRecent } from '../db/storedTimes.ts';
import { planByIndex } from '../ledger/indexPlans.ts';

/**
 * The waiting request for a credit, with the id of the oldest other waiting request for the same customer, amount and
 * description, and with such a credit that was made recently.
 */
export async function withSameCredit(reader: Reader, request: DecodedApproval): Promise<DecodedApproval> {
  const { _id, kind, status, customer, amount, description } = request;
  if (kind !== 'credit' || status !== 'pending' || !customer) return request;
  const found = await sql<{ id: string }>`
    SELECT id FROM approval_requests
     WHERE customer_id = ${customer._id} AND status = 'pending' AND expires_at > now() AND kind = 'credit'
       AND amount = ${amount ?? null} AND description = ${description ?? null} AND id <> ${_id}
     ORDER BY id LIMIT 1`.execute(reader);
  const [same] = found.rows;
  const sameCredit = (await listRecentCredits(reader, customer.accountNumber)).find(
    made => made.amount === amount && made.description === description,
  );
  return { ...request, ...(same && { sameRequestId: same.id }), ...(sameCredit && { sameCredit }) };
}

/** The credits of an account in the last days that were not reversed, newest first. Reads only the newest credits. */
export async function listRecentCredits(
  reader: Reader,
  accountNumber: string,
): Promise<DecodedRecentCredit[]> {
  return await inSnapshot(reader, async snapshot => {
    await planByIndex(snapshot);
    const found = await sql<DecodedRecentCredit>`
      SELECT id AS _id, reference, amount, created_at AS timestamp, description
        FROM (SELECT * FROM transactions
               WHERE type = 'admin-credit'
                 AND receiver_account = (SELECT id FROM ledger_accounts WHERE number = ${accountNumber})
               ORDER BY receiver_seq DESC LIMIT ${staff.sameCreditsRead}) credit
       WHERE ${isRecent(sql`created_at`, staff.sameCreditDays * 86_400)}
         AND NOT EXISTS (SELECT FROM reversals WHERE original_id = credit.id)
       ORDER BY receiver_seq DESC`.execute(snapshot);
    return found.rows;
  });
}
