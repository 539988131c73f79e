/** Reads whether the customer who is about to get money has a match with the sanctions list. */
import { pollingOptions, useAccountHolderQuery } from '../adminCalls.ts';

/** Without an account number (another bank, or the bank itself), there is nothing to check. */
export function usePayeeMatch(accountNumber: string | undefined) {
  const { currentData, isFetching, error } = useAccountHolderQuery(
    { params: { accountNumber: accountNumber ?? '' } },
    { ...pollingOptions, skip: accountNumber === undefined },
  );
  return { state: currentData?.screening, isChecking: isFetching && !currentData && !error };
}
