/**
 * Who stands behind an account number: told by the check digit where it can be, and asked of the bank once the number has all
 * its digits.
 */
import { isAccountNumber } from '#contract/accountNumber.ts';
import { accountNumber } from '#contract/constants.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import * as texts from '#contract/messages/transfer.ts';
import { type CallError, errorMessage } from '#web/base/callError.ts';
import { useVerifyAccountQuery } from './transferCalls.ts';

/** `message` says what keeps the form from sending to it. */
export type Receiver =
  | { state: 'found'; name: string; message: '' }
  | { state: 'incomplete' | 'verifying' | 'mistyped' | 'own' | 'unknown' | 'unanswered'; message: string };

/** Whether the bank should be asked about a number at all. */
export function worthAsking(number: string, ownNumber: string): boolean {
  return number.length >= accountNumber.lookupFrom && isAccountNumber(number) && number !== ownNumber;
}

/** Looks a number up while it is typed. `again` asks once more after no answer came. */
export function useReceiver(number: string, ownNumber: string): { receiver: Receiver; again: () => void } {
  const asking = worthAsking(number, ownNumber);
  const { currentData, error, isFetching, refetch } = useVerifyAccountQuery(
    { params: { accountNumber: number } },
    { skip: !asking },
  );
  const again = () => void refetch();
  if (!asking) return { receiver: judgeAlone(number, ownNumber), again };
  if (currentData) return { receiver: { state: 'found', name: currentData.accountName, message: '' }, again };
  if (isFetching || !error) return { receiver: { state: 'verifying', message: texts.verifying }, again };
  return { receiver: judgeError(error as CallError), again };
}

function judgeAlone(number: string, ownNumber: string): Receiver {
  if (number.length < accountNumber.lookupFrom)
    return { state: 'incomplete', message: texts.accountNumberFormat };
  if (number === ownNumber) return { state: 'own', message: texts.sameAccount };
  return { state: 'mistyped', message: texts.mistyped };
}

function judgeError(error: CallError): Receiver {
  if (error.code === 'NOT_FOUND') return { state: 'unknown', message: texts.accountNotFound };
  return { state: 'unanswered', message: errorMessage(error, errorMessages.network) };
}
