/** Turns a call of the contract into an HTTP request: URL, headers, body. Shared by fetch and upload. */
import type { Endpoint } from '#contract/endpoint.ts';
import { idleHeader } from './lastAction.ts';

/** A value in a URL or in a form's text field. */
type Plain = string | number | boolean | undefined;

/** Every part a call can have; `Argument` in api.ts types which ones an endpoint has. */
export type AnyCall = {
  params?: Readonly<Record<string, Plain>>;
  query?: Readonly<Record<string, Plain>>;
  body?: unknown;
  files?: Readonly<Record<string, Blob | undefined>>;
  idempotencyKey?: string;
  stepUpProof?: string | undefined;
};

/** The path with its placeholders filled in and the query string; parameters without a value are omitted. */
export function requestUrl(endpoint: Endpoint, call: AnyCall): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(call.params?.[name] ?? '')),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(call.query ?? {})) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

export function requestHeaders(call: AnyCall, token: string | undefined): Record<string, string> {
  return {
    accept: 'application/json',
    ...(token && { authorization: `Bearer ${token}`, ...idleHeader() }),
    ...(call.idempotencyKey && { 'idempotency-key': call.idempotencyKey }),
    ...(call.stepUpProof && { 'step-up': call.stepUpProof }),
  };
}

/** The multipart form of a call with files: text fields first, so that the server can validate them early. */
export function formData(call: AnyCall): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries((call.body ?? {}) as Record<string, Plain>)) {
    if (value !== undefined) form.append(name, String(value));
  }
  for (const [name, file] of Object.entries(call.files ?? {})) {
    if (file) form.append(name, file);
  }
  return form;
}
