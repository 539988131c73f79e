/** What a person reads when a step of getting in is refused. */

import * as authMessages from '#contract/messages/auth.ts';
import { fill } from '#contract/messages/fill.ts';
import { type CallError, errorMessage } from '#web/base/callError.ts';

/** The server's sentence or the fallback; after 'too often' also how long to wait. */
export function refusalText(error: unknown, fallback: string): string {
  const { status, waitTime } = (error ?? {}) as Partial<CallError>;
  const message = errorMessage(error, fallback);
  if (status !== 429 || waitTime === undefined) return message;
  return fill(authMessages.resendWait, { message, waitTime });
}

/** Whether the bank looked at what was entered and found it wrong; after anything else the same may be sent again. */
export function isJudged(error: unknown): boolean {
  return (error as Partial<CallError> | undefined)?.status === 401;
}
