/** Warns staff before they pay the same credit twice: another request for it waits, or it was made recently. */
import { shortDay, timeOfDay } from '#contract/bankTime.ts';
import { Refusal } from '#contract/errors.ts';
import type { DecodedApproval } from '#contract/fourEyes.ts';
import { fill } from '#contract/messages/fill.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import type { Reader, Tx } from '../db/database.ts';
import { findOtherCredit, listRecentCredits } from '../ledger/recentCredits.ts';
import { findSameRequest } from '../people/sameCredits.ts';

/**
 * Returns the request. To a credit that waits, adds the id of another waiting request for the same customer, amount and
 * description (`sameRequestId`), and such a credit that was made recently (`sameCredit`).
 */
export async function withSameCredit(reader: Reader, request: DecodedApproval): Promise<DecodedApproval> {
  const { kind, status, customer, amount, description } = request;
  if (kind !== 'credit' || status !== 'pending' || !customer) return request;
  const sameRequestId = await findSameRequest(reader, request);
  const [sameCredit] = await listRecentCredits(reader, customer.accountNumber, { amount, description });
  return { ...request, ...(sameRequestId && { sameRequestId }), ...(sameCredit && { sameCredit }) };
}

/**
 * Refuses the credit `made`, which this transaction has posted, if the same credit was made before and the caller was not shown
 * it. `shown`: the id of the one that the caller was shown; null if none was, undefined if the caller does not say. The data of
 * the refusal has its id as `sameCreditId`.
 */
export async function refuseIfUnseenCredit(
  tx: Tx,
  accountNumber: string,
  credit: Pick<DecodedApproval, 'amount' | 'description'> & { made: string | undefined },
  shown: string | null | undefined,
): Promise<void> {
  const other = shown === undefined ? undefined : await findOtherCredit(tx, accountNumber, credit);
  if (!other || other._id === shown) return;
  const { _id: sameCreditId, timestamp, reference } = other;
  const at = timestamp.toISOString();
  const made = { day: shortDay(at), time: timeOfDay(at), reference };
  const message = fill(staffMessages.sameCreditSince, made);
  throw new Refusal('CONFLICT', { message, data: { sameCreditId } });
}
