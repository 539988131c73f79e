/** Sends one call of the contract with the session it needs, ends a session that the server refuses, and asks for step-ups. */
import type { BaseQueryApi } from '@reduxjs/toolkit/query';
import type { Endpoint } from '#contract/endpoint.ts';
import * as authMessages from '#contract/messages/auth.ts';
import * as stepUpMessages from '#contract/messages/stepUp.ts';
import { type Answered, type CallError, readAnswer, unanswered } from './callError.ts';
import { type AnyCall, requestHeaders, requestUrl } from './request.ts';
import { endIfRefused, type SessionState, selectPersonId, selectToken } from './session.ts';
import { askForProof } from './stepUp.ts';
import { uploadForm } from './uploadForm.ts';

export type Asked = {
  endpoint: Endpoint;
  call: AnyCall & {
    timeoutMs?: number;
    onlyFor?: string;
    confirms?: string | (() => Promise<string>);
    withoutApp?: boolean;
    onProgress?: (percent: number) => void;
  };
};
type Result = { data: Answered } | { error: CallError };

const timeoutMs = 30_000;

/** The base query. A guarded call without a session fails without sending a request. */
export async function ask({ endpoint, call }: Asked, store: BaseQueryApi): Promise<Result> {
  const { access } = endpoint;
  const state = store.getState() as SessionState;
  const token = selectToken(state, access);
  const isSomebodyElse = call.onlyFor !== undefined && call.onlyFor !== selectPersonId(state, access);
  if ((access !== 'none' && !token) || isSomebodyElse) {
    return { error: { status: 401, code: 'NOT_AUTHORIZED', message: authMessages.noToken } };
  }
  const result = endpoint.files
    ? await uploadForm(endpoint, call, { timeoutMs, ...call, token, signal: store.signal })
    : await fetchAnswer(endpoint, call, token, store.signal);
  if (!('error' in result)) return result;
  const endSession = () => void store.dispatch(endIfRefused(result.error, access, token));
  // Ending a session aborts its calls. An administrator's press that moves money must report its refusal first.
  if (access === 'admin' && call.onlyFor !== undefined) setTimeout(endSession);
  else endSession();
  const { challenge } = result.error;
  if (!challenge || call.confirms === undefined) return result;
  const confirms = typeof call.confirms === 'string' ? call.confirms : await call.confirms();
  if (store.signal.aborted) return result;
  const end = await askForProof({ challenge, confirms, withoutApp: call.withoutApp });
  if (end === 'again') return await ask({ endpoint, call }, store);
  if (end && 'proof' in end) return await ask({ endpoint, call: { ...call, stepUpProof: end.proof } }, store);
  return { error: { ...result.error, message: end?.reason ?? stepUpMessages.canceled } };
}

async function fetchAnswer(
  endpoint: Endpoint,
  call: Asked['call'],
  token: string | undefined,
  signal: AbortSignal,
): Promise<Result> {
  const headers = requestHeaders(call, token);
  const timeout = AbortSignal.timeout(call.timeoutMs ?? timeoutMs);
  try {
    const response = await fetch(requestUrl(endpoint, call), {
      method: endpoint.method,
      signal: AbortSignal.any([signal, timeout]),
      ...(call.body === undefined
        ? { headers }
        : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(call.body) }),
    });
    return readAnswer(response.status, await response.text());
  } catch {
    return { error: unanswered(timeout.aborted ? 'TIMEOUT' : 'NETWORK') };
  }
}
