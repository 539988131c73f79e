/** The recent credits of an account. They show whether staff are about to make the same credit twice. */
import { sql } from 'kysely';
import { staff } from '#contract/constants.ts';
import type { DecodedRecentCredit } from '#contract/entities.ts';
import type { DecodedApproval } from '#contract/fourEyes.ts';
import { inSnapshot, type Reader, type Tx } from '../db/database.ts';
import { isSameWords } from '../db/sameWords.ts';
import { isRecent } from '../db/storedTimes.ts';
import { maxDisorder } from './filter.ts';
import { planByIndex } from './indexPlans.ts';

type Same = Pick<DecodedApproval, 'amount' | 'description'>;

/**
 * The credits of an account in the last `staff.sameCreditDays` days that were not reversed, newest first. With `same`, only
 * those with this amount and this description, ignoring case and spaces. Of credits with the same amount and description, only
 * the newest. At most `staff.sameCreditsRead`; reads no older credits.
 */
export const listRecentCredits = (reader: Reader, accountNumber: string, same?: Same) =>
  inSnapshot(reader, snapshot => select(snapshot, accountNumber, same));

/**
 * The newest other credit with this amount and description. `made`: the credit that this transaction has posted. It holds the
 * locks of the accounts, so no newer one can be made before it ends.
 */
export async function findOtherCredit(
  tx: Tx,
  accountNumber: string,
  { made, ...same }: Same & { made: string | undefined },
): Promise<DecodedRecentCredit | undefined> {
  return (await select(tx, accountNumber, same, made))[0];
}

async function select(
  reader: Reader,
  accountNumber: string,
  same: Same | undefined,
  except?: string,
): Promise<DecodedRecentCredit[]> {
  const account = sql`(SELECT id FROM ledger_accounts WHERE number = ${accountNumber})`;
  const since = sql`now() - make_interval(days => ${staff.sameCreditDays})`;
  await planByIndex(reader);
  const found = await sql<DecodedRecentCredit>`
    SELECT id AS _id, reference, amount, created_at AS timestamp, description FROM (
    SELECT DISTINCT ON (amount, description) id, reference, amount, created_at, description, receiver_seq
      FROM transactions credit
     WHERE type = 'admin-credit' AND receiver_account = ${account}
       AND receiver_seq >= first_seq_since(${account}, ${since}) - ${maxDisorder}
       AND ${isRecent(sql`created_at`, staff.sameCreditDays * 86_400)}
       AND ${same ? sql`amount = ${same.amount} AND ${isSameWords(sql`description`, same.description)}` : sql`true`}
       AND ${except === undefined ? sql`true` : sql`id <> ${except}`}
       AND NOT EXISTS (SELECT FROM reversals WHERE original_id = credit.id)
     ORDER BY amount, description, receiver_seq DESC) newest
     ORDER BY receiver_seq DESC LIMIT ${staff.sameCreditsRead}`.execute(reader);
  return found.rows;
}
