/** The message when the bank refuses an act of an administrator, for example because a colleague acted first. */
import * as errorMessages from '#contract/messages/errors.ts';
import { fill } from '#contract/messages/fill.ts';
import { type CallError, errorMessage, isUncertain } from '#web/base/callError.ts';
import { requestWords } from '../requests/requestWords.ts';
import { words } from '../words.ts';

/** Whether the row or person that was requested or acted on no longer exists. */
export const isGone = (error: unknown): boolean => (error as CallError | undefined)?.code === 'NOT_FOUND';

/**
 * The text of a refused act on the customer `name`. `fallback` is used if the bank sent no message. The text can promise an
 * up-to-date list, because the refused call invalidates the lists (`web/base/api.ts`).
 */
export function actRefusalText(error: unknown, name: string, fallback?: string): string {
  return isGone(error) ? fill(words.alreadyDeleted, { name }) : staffRefusalText(error, fallback);
}

/** The text of a refused act on a customer who waits for a decision, and whom a rejection erases. */
export function applicationRefusalText(error: unknown): string {
  return isGone(error) ? words.applicationGone : staffRefusalText(error);
}

/** Whether an act failed without an answer that says whether it took effect. */
export const isUnknown = (error: unknown): boolean => error !== undefined && isUncertain(error as CallError);

/** The text of any other failed act. */
function staffRefusalText(error: unknown, fallback?: string): string {
  return isUnknown(error) ? words.actUnknown : readRefusalText(error, fallback);
}

/** The text of a refused press that moves money. After a conflict, someone else may have just moved it. */
export function moneyRefusalText(error: CallError): string {
  const text = staffRefusalText(error);
  return error.code === 'CONFLICT' ? text : `${text} ${words.noMoneyMoved}`;
}

/** The text if something could not be read, which changes nothing. */
export function readRefusalText(error: unknown, fallback: string = errorMessages.fault): string {
  if ((error as CallError | undefined)?.code === 'FORBIDDEN') return words.notYourRole;
  return errorMessage(error, fallback);
}

/** Why an act failed, as the dialog that asked for it shows it. `isOver`: it can no longer succeed. */
export type Failure = { text: string; isUnknown: boolean; isOver?: boolean };

export const failureOf = (error: unknown, text = staffRefusalText(error)): Failure => ({
  text,
  isUnknown: isUnknown(error),
});

/** The colleague who took the work first, if an act was refused for that reason. */
export function takenBy(error: unknown): { _id: string; name: string } | undefined {
  return (error as CallError | undefined)?.data?.owner as ReturnType<typeof takenBy>;
}

/** The id of this administrator's own waiting request, if an act was refused because of it. */
export function ownRequestOf(error: unknown): string | undefined {
  return (error as CallError | undefined)?.data?.requestId as string | undefined;
}

/** The id of the same credit that was made before, if a credit was refused because of it. */
export function sameCreditOf(error: unknown): string | undefined {
  return (error as CallError | undefined)?.data?.sameCreditId as string | undefined;
}

/** What became of an act, as a banner shows it. */
export type Outcome = { kind: 'success' | 'error' | 'warning'; text: string };

/** The text of a failed act. After a lost answer to an act that becomes a request (`needsSecond`), it points to Requests. */
export const requestRefusalText = (
  error: unknown,
  needsSecond: boolean,
  text = staffRefusalText(error),
): string => (needsSecond && isUnknown(error) ? requestWords.unknown : text);

/** The outcome of a call: the bank's message, why the act was refused, or that its result is unknown. */
export function outcomeOf(
  { data, error }: { data?: { message: string } | undefined; error?: unknown },
  needsSecond = false,
): Outcome {
  if (data) return { kind: 'success', text: data.message };
  return { kind: isUnknown(error) ? 'warning' : 'error', text: requestRefusalText(error, needsSecond) };
}
