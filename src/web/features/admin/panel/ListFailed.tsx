/** Replaces a list that could not be fetched, with the bank's reason and a retry. */
import * as errorMessages from '#contract/messages/errors.ts';
import { LoadFailed } from '#web/bank/LoadFailed.tsx';
import { errorMessage } from '#web/base/callError.ts';
import { words } from '../words.ts';

export type ListFailedProps = { error: unknown; onRetry: () => unknown };

export function ListFailed({ error, onRetry }: ListFailedProps) {
  return (
    <LoadFailed title={words.loadFailed} text={errorMessage(error, errorMessages.fault)} onRetry={onRetry} />
  );
}
