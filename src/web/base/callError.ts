/**
 * How a call can fail, as every screen sees it: one type, one rule for the sentence a person reads, and the one
 * place where an answer is judged by its envelope.
 */
import type { Failure, RefusalCode } from '#contract/errors.ts';
import * as errorMessages from '#contract/messages/errors.ts';

/**
 * A failed call. `status` is the HTTP status, or what happened when there was no answer. `message` is the server's
 * sentence (or the error's own) and empty when there is none; show it with `errorMessage`.
 */
export type CallError = {
  status: number | 'NETWORK' | 'TIMEOUT';
  code?: RefusalCode;
  message: string;
  errors?: { field: string; message: string }[];
  /** Seconds until the same call can succeed. */
  waitTime?: number;
};

/** A success as the base query hands it on. */
export type Answered = { data: unknown; message: string };

/** The sentence for a person: the response's message, then the error's own, then the fallback. */
export function errorMessage(error: unknown, fallback: string): string {
  if (typeof error !== 'object' || error === null) return fallback;
  const { message } = error as { message?: unknown };
  return typeof message === 'string' && message !== '' ? message : fallback;
}

/** The server's sentence for one field of a refused form, where it named one. */
export function fieldErrors(error: unknown): Record<string, string> {
  const named = (error as CallError | undefined)?.errors ?? [];
  return Object.fromEntries(named.map(({ field, message }) => [field, message]));
}

/** The error of a call that got no answer at all. */
export function unanswered(status: 'NETWORK' | 'TIMEOUT'): CallError {
  return { status, message: errorMessages.network };
}

// The books look for the key before they judge, so these also say that no earlier try of the same took effect.
const verdicts: readonly (RefusalCode | undefined)[] = ['INSUFFICIENT_BALANCE', 'SAME_ACCOUNT', 'NOT_FOUND'];

/**
 * Whether a failed change may have taken effect all the same: no answer, an answer that is not the bank's, or a bank that
 * could not say. `unheard`: an earlier try of the same (under the same key) was uncertain; then a refusal from before the
 * books (session, rate, form) says nothing about that one.
 */
export function isUncertain({ status, code }: CallError, unheard = false): boolean {
  if (typeof status !== 'number' || (!code && status < 400)) return true;
  if (status >= 500) return true;
  return unheard && !verdicts.includes(code);
}

/** Judges an answer: only an envelope that says success (with a 2xx status) is one; everything else is an error. */
export function readAnswer(status: number, text: string): { data: Answered } | { error: CallError } {
  const envelope = parseObject(text);
  const said = typeof envelope?.message === 'string' ? envelope.message : '';
  if (status >= 200 && status < 300 && envelope?.success === true) {
    return { data: { data: envelope.data, message: said } };
  }
  const { code, errors, waitTime } = (envelope ?? {}) as Partial<Failure>;
  return {
    error: {
      status,
      message: said,
      ...(typeof code === 'string' && { code }),
      ...(Array.isArray(errors) && { errors }),
      ...(typeof waitTime === 'number' && { waitTime }),
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
