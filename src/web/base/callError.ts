/**
 * How a call can fail: one error type for all screens, and one rule for the message that a user sees. No other file checks a
 * response's envelope.
 */
import type { Failure, RefusalCode } from '#contract/errors.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import type { StepUpChallenge } from '#contract/stepUp.ts';

/**
 * A failed call. `status` is the HTTP status, or the kind of failure if there was no response. `message` is the server's
 * message (or the error's own), empty if there is none; show it with `errorMessage`.
 */
export type CallError = {
  status: number | 'NETWORK' | 'TIMEOUT';
  code?: RefusalCode;
  message: string;
  errors?: { field: string; message: string }[];
  /** Seconds until the call can be retried. */
  waitTime?: number;
  /** What the client needs to continue, such as the ticket of a second step. */
  data?: Failure['data'];
  /** What must be confirmed before the same call can succeed. */
  challenge?: StepUpChallenge;
};

/** A success as the base query returns it. */
export type Answered = { data: unknown; message: string };

/** The message to show: the response's, then the error's own, then the fallback. */
export function errorMessage(error: unknown, fallback: string): string {
  if (typeof error !== 'object' || error === null) return fallback;
  const { message } = error as { message?: unknown };
  return typeof message === 'string' && message !== '' ? message : fallback;
}

/** The server's messages for the fields of a refused form, by field name; empty if the error names no field. */
export function fieldErrors(error: unknown): Record<string, string> {
  const named = (error as CallError | undefined)?.errors ?? [];
  return Object.fromEntries(named.map(({ field, message }) => [field, message]));
}

/** The error of the call that was made last; undefined if that call has not failed. */
export function newestError<E>(
  ...calls: readonly { error?: E | undefined; startedTimeStamp?: number | undefined }[]
): E | undefined {
  return calls.toSorted((a, b) => (b.startedTimeStamp ?? 0) - (a.startedTimeStamp ?? 0))[0]?.error;
}

type FailedCall = { error?: unknown; reset: () => void };

/** Resets the calls that failed with field errors, because those errors are outdated once a field is corrected. */
export function forgetFieldErrors(...calls: readonly FailedCall[]): void {
  for (const { error, reset } of calls) if (Object.keys(fieldErrors(error)).length > 0) reset();
}

/** Whether the page may show an old state, because a colleague, another tab or the bank acted first. */
export function isOutOfDate(error: unknown): boolean {
  const { code } = (error ?? {}) as Partial<CallError>;
  return code === 'CONFLICT' || code === 'NOT_FOUND';
}

/** The error of a call that got no response. */
export function unanswered(status: 'NETWORK' | 'TIMEOUT'): CallError {
  return { status, message: errorMessages.network };
}

// Calls with a key answer with these codes only after they looked up the key, so no earlier attempt with it took effect.
const verdicts: readonly (RefusalCode | undefined)[] = [
  'INSUFFICIENT_BALANCE',
  'LIMIT_EXCEEDED',
  'SAME_ACCOUNT',
  'NOT_FOUND',
  'CONFLICT',
  'STEP_UP_REQUIRED',
];

/**
 * Whether a failed change may still have taken effect: no response, a status below 400 without a code, or a server error.
 * `unheard`: an earlier attempt with the same key was uncertain. Then a refusal before the key is looked up (session, rate
 * limit, form) says nothing about that attempt.
 */
export function isUncertain({ status, code }: CallError, unheard = false): boolean {
  if (typeof status !== 'number' || (!code && status < 400)) return true;
  if (status >= 500) return true;
  return unheard && !verdicts.includes(code);
}

/** Whether a failed change without a key may have been made. BUSY says that it was not. */
export const mayBeMade = (error: CallError): boolean => isUncertain(error) && error.code !== 'BUSY';

type AdditionTexts = {
  /** The result is not known, so it may have been added. */
  unknown: string;
  /** The bank received the same key with an earlier version of the form. The list shows whether that version was added. */
  mismatch: string;
  fallback: string;
};

/**
 * Why a form that adds or changes something failed, or that its result is unknown; undefined if nothing failed, or if one of
 * its fields shows the error (`isAtField`). All presses of a form that adds have the same idempotency key. `changed`: why the
 * change failed (`useActs.ts`).
 */
export function savingError(
  added: unknown,
  changed: string | undefined,
  isAtField: boolean,
  texts: AdditionTexts,
): string | { text: string; isUnknown: true } | undefined {
  if (isAtField) return undefined;
  if (!added) return changed;
  if ((added as CallError).code === 'IDEMPOTENCY_MISMATCH') return texts.mismatch;
  return isUncertain(added as CallError)
    ? { text: texts.unknown, isUnknown: true }
    : errorMessage(added, texts.fallback);
}

/** Checks a response. Only a 2xx status with an envelope that reports success is a success; anything else is an error. */
export function readAnswer(status: number, text: string): { data: Answered } | { error: CallError } {
  const envelope = parseObject(text);
  const said = typeof envelope?.message === 'string' ? envelope.message : '';
  if (status >= 200 && status < 300 && envelope?.success === true) {
    return { data: { data: envelope.data, message: said } };
  }
  const { code, errors, waitTime, data, challenge } = (envelope ?? {}) as Partial<Failure>;
  return {
    error: {
      status,
      message: said,
      ...(typeof code === 'string' && { code }),
      ...(Array.isArray(errors) && { errors }),
      ...(typeof waitTime === 'number' && { waitTime }),
      ...(typeof data === 'object' && data !== null && { data }),
      ...(code === 'STEP_UP_REQUIRED' && challenge && { challenge }),
    },
  };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
