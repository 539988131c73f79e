/** Warns staff before they pay the same credit twice: another request for it waits, or it was made recently. */
import { Refusal } from '#contract/errors.ts';
import type { DecodedApproval } from '#contract/fourEyes.ts';
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
 * Refuses a credit that this transaction has posted if the same credit was made before and the approver was not shown it.
 * `shown`: the one that the approver was shown; null if none was, undefined if the caller does not say.
 */
export async function refuseIfUnseenCredit(
  tx: Tx,
  { kind, customer, amount, description, resultId: made }: DecodedApproval,
  shown: string | null | undefined,
): Promise<void> {
  if (kind !== 'credit' || !customer || shown === undefined) return;
  const other = await findOtherCredit(tx, customer.accountNumber, { amount, description, made });
  if (other && other._id !== shown) throw new Refusal('CONFLICT', { message: staffMessages.sameCreditSince });
}
