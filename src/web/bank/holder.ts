/**
 * Looks up an account's holder while the number is typed. The check digit catches most typing mistakes without a call. The bank
 * is queried once the number is complete.
 */
import { isAccountNumber } from '#contract/accountNumber.ts';
import { accountNumber } from '#contract/constants.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import * as transferMessages from '#contract/messages/transfer.ts';

/** `found` is the bank's answer; otherwise `message` says why the form cannot send to this number. */
export type Holder<Found> =
  | { state: 'found'; found: Found; message: '' }
  | { state: 'incomplete' | 'verifying' | 'mistyped' | 'own' | 'unknown' | 'unanswered'; message: string };

/** The lookup's query hook; customers and administrators have one each. */
type UseLookup<Found> = (
  call: { params: { accountNumber: string } },
  options: { skip: boolean },
) => { currentData?: Found | undefined; error?: unknown; isFetching: boolean; refetch: () => unknown };

/** Whether a number should be looked up. */
export function canLookUp(number: string, ownNumber?: string): boolean {
  return number.length >= accountNumber.lookupFrom && isAccountNumber(number) && number !== ownNumber;
}

/** Looks up a number of only digits; `ownNumber` is the user's own. `again` retries after a failed lookup. */
export function useHolder<Found>(
  useLookup: UseLookup<Found>,
  number: string,
  ownNumber?: string,
): { holder: Holder<Found>; again: () => void } {
  const asks = canLookUp(number, ownNumber);
  const { currentData, error, isFetching, refetch } = useLookup(
    { params: { accountNumber: number } },
    { skip: !asks },
  );
  const again = () => void refetch();
  if (!asks) return { holder: judgeAlone(number, ownNumber), again };
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  // Also after an earlier lookup found the account: it may have been closed since.
  if (code === 'NOT_FOUND')
    return { holder: { state: 'unknown', message: transferMessages.accountNotFound }, again };
  if (currentData) return { holder: { state: 'found', found: currentData, message: '' }, again };
  if (isFetching || !error)
    return { holder: { state: 'verifying', message: transferMessages.verifying }, again };
  return { holder: { state: 'unanswered', message: message || errorMessages.network }, again };
}

function judgeAlone(number: string, ownNumber?: string): Holder<never> {
  if (number.length < accountNumber.lookupFrom)
    return { state: 'incomplete', message: transferMessages.accountNumberFormat };
  if (number.length > accountNumber.digits)
    return { state: 'mistyped', message: transferMessages.accountNumberFormat };
  if (number === ownNumber) return { state: 'own', message: transferMessages.sameAccount };
  return { state: 'mistyped', message: transferMessages.mistyped };
}
