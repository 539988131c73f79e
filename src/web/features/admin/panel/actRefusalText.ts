/** The message when the bank refuses an administrator's action on a customer, for example because a colleague acted first. */
import { fill } from '#contract/messages/fill.ts';
import { type CallError, errorMessage } from '#web/base/callError.ts';
import { words } from '../words.ts';

/** `name` is the customer's; `fallback` is used if the bank sent no message. The call itself refetches the lists. */
export function actRefusalText(error: unknown, name: string, fallback: string): string {
  if ((error as CallError | undefined)?.code === 'NOT_FOUND') return fill(words.alreadyDeleted, { name });
  return errorMessage(error, fallback);
}
