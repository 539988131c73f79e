/** The message when the bank refuses an act of an administrator, for example because a colleague acted first. */
import { fill } from '#contract/messages/fill.ts';
import { type CallError, errorMessage } from '#web/base/callError.ts';
import { words } from '../words.ts';

/**
 * The text of a refused act on the customer `name`. `fallback` is used if the bank sent no message. The call itself refetches
 * the lists.
 */
export function actRefusalText(error: unknown, name: string, fallback: string): string {
  if ((error as CallError | undefined)?.code === 'NOT_FOUND') return fill(words.alreadyDeleted, { name });
  return staffRefusalText(error, fallback);
}

/** The text of any other refused act. */
export function staffRefusalText(error: unknown, fallback: string): string {
  if ((error as CallError | undefined)?.code === 'FORBIDDEN') return words.notYourRole;
  return errorMessage(error, fallback);
}
