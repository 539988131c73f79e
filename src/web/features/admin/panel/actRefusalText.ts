/** What an administrator reads when the bank refused an act about a customer: that a colleague was first, where that is why. */
import { fill } from '#contract/messages/fill.ts';
import { type CallError, errorMessage } from '#web/base/callError.ts';
import { words } from '../words.ts';

/** `name` is the customer's; `fallback` stands where the bank said nothing. The lists are asked again by the call itself. */
export function actRefusalText(error: unknown, name: string, fallback: string): string {
  if ((error as CallError | undefined)?.code === 'NOT_FOUND') return fill(words.closedMeanwhile, { name });
  return errorMessage(error, fallback);
}
