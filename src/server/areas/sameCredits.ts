/** Warns staff before they pay the same credit twice: another request for it waits, or it was made recently. */
import type { DecodedApproval } from '#contract/fourEyes.ts';
import type { Reader } from '../db/database.ts';
import { listRecentCredits } from '../ledger/recentCredits.ts';
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
