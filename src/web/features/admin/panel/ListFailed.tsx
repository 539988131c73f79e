/** Stands in a list's place when it could not be fetched, with what the bank said about it. */
import { messages } from '#contract/messages.ts';
import { LoadFailed } from '#web/bank/LoadFailed.tsx';
import { errorMessage } from '#web/base/callError.ts';
import { words } from '../words.ts';

export type ListFailedProps = { error: unknown; onRetry: () => unknown };

export function ListFailed({ error, onRetry }: ListFailedProps) {
  return (
    <LoadFailed
      title={words.loadFailed}
      text={errorMessage(error, messages.errors.fault)}
      onRetry={onRetry}
    />
  );
}
