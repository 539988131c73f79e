/** Who stands behind an account number that is about to be credited: told by the check digit where it can be, else asked. */
import { isAccountNumber } from '#contract/accountNumber.ts';
import { accountNumber } from '#contract/constants.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { type CallError, errorMessage } from '#web/base/callError.ts';
import { useAccountHolderQuery } from '../adminCalls.ts';

export type Holder =
  | { state: 'found'; name: string; isApproved: boolean; isFrozen: boolean }
  | { state: 'incomplete' | 'asking' }
  | { state: 'wrong' | 'unanswered'; message: string };

/** Looks a number up while it is typed: digits without spaces. `again` asks once more after no answer came. */
export function useHolder(number: string): { holder: Holder; again: () => void } {
  const isWhole = number.length >= accountNumber.lookupFrom;
  const asks = isWhole && isAccountNumber(number);
  const { currentData, error, isFetching, refetch } = useAccountHolderQuery(
    { params: { accountNumber: number } },
    { skip: !asks },
  );
  const again = () => void refetch();
  if (!isWhole) return { holder: { state: 'incomplete' }, again };
  if (!asks) return { holder: { state: 'wrong', message: transferMessages.mistyped }, again };
  if (currentData) {
    const { accountName: name, isApproved, isFrozen } = currentData;
    return { holder: { state: 'found', name, isApproved, isFrozen }, again };
  }
  if (isFetching || !error) return { holder: { state: 'asking' }, again };
  const refusal = error as CallError;
  return {
    holder:
      refusal.code === 'NOT_FOUND'
        ? { state: 'wrong', message: transferMessages.accountNotFound }
        : { state: 'unanswered', message: errorMessage(refusal, errorMessages.network) },
    again,
  };
}
