/** Turns a call of the contract into an HTTP request: address, headers, body. Shared by fetch and upload. */
import type { Endpoint } from '#contract/endpoint.ts';

/** What stands in an address or a form's text field. */
type Plain = string | number | boolean | undefined;

/** Every part a call can have; which ones a certain endpoint has is typed by `Argument` in api.ts. */
export type AnyCall = {
  params?: Readonly<Record<string, Plain>>;
  query?: Readonly<Record<string, Plain>>;
  body?: unknown;
  files?: Readonly<Record<string, Blob | undefined>>;
  idempotencyKey?: string;
};

/** The path with its placeholders filled and the query string; parameters without a value are left out. */
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
    ...(token && { authorization: `Bearer ${token}` }),
    ...(call.idempotencyKey && { 'idempotency-key': call.idempotencyKey }),
  };
}

/** The multipart form of a call with files: the text fields first, so that the server can judge them early. */
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
