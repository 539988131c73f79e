/** The credits that an account received in the last days. They show whether staff are about to pay the same one twice. */
import { sql } from 'kysely';
import { staff } from '#contract/constants.ts';
import type { DecodedRecentCredit } from '#contract/entities.ts';
import { inSnapshot, type Reader } from '../db/database.ts';
import { isRecent } from '../db/storedTimes.ts';
import { planByIndex } from './indexPlans.ts';

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
