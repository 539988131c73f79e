/** Reads whether the customer who is about to get money has a match with the sanctions list. */
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { useAccountHolderQuery } from '../adminCalls.ts';
import { isGone } from '../panel/actRefusalText.ts';

/**
 * There is nothing to check without an account number (another bank, or the bank itself), or if the customer no longer exists.
 * After any other failure, the next poll checks again.
 */
export function usePayeeMatch(accountNumber: string | undefined) {
  const { currentData, error } = useAccountHolderQuery(
    { params: { accountNumber: accountNumber ?? '' } },
    { ...pollingOptions, skip: accountNumber === undefined },
  );
  return {
    state: currentData?.screening,
    isChecking: accountNumber !== undefined && !currentData && !isGone(error),
  };
}
