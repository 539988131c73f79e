/** Warns of a credit that is about to be paid twice, because it waits or was made already. */
import type { DecodedApproval } from '#contract/fourEyes.ts';
import type { Reader } from '../db/database.ts';
import { listRecentCredits } from '../ledger/recentCredits.ts';
import { findSameRequest } from '../people/sameCredits.ts';

/**
 * The request. If it is a credit that waits, with the id of another request for the same customer, amount and description, and
 * with such a credit that was made recently.
 */
export async function withSameCredit(reader: Reader, request: DecodedApproval): Promise<DecodedApproval> {
  const { kind, status, customer, amount, description } = request;
  if (kind !== 'credit' || status !== 'pending' || !customer) return request;
  const sameRequestId = await findSameRequest(reader, request);
  const [sameCredit] = await listRecentCredits(reader, customer.accountNumber, { amount, description });
  return { ...request, ...(sameRequestId && { sameRequestId }), ...(sameCredit && { sameCredit }) };
}
