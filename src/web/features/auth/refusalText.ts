/** The message when a step of the login, registration or reset is refused. */

import * as authMessages from '#contract/messages/auth.ts';
import { fill } from '#contract/messages/fill.ts';
import { type CallError, errorMessage } from '#web/base/callError.ts';

/** Returns the server's sentence or the fallback; after a rate limit also how long to wait. */
export function refusalText(error: unknown, fallback: string): string {
  const { status, waitTime } = (error ?? {}) as Partial<CallError>;
  const message = errorMessage(error, fallback);
  if (status !== 429 || waitTime === undefined) return message;
  return fill(authMessages.resendWait, { message, waitTime });
}

/** Whether the bank checked the input and found it wrong. After any other error the same input may be sent again. */
export function isRejectedInput(error: unknown): boolean {
  return (error as Partial<CallError> | undefined)?.status === 401;
}
