/** A client of the bank's API: calls over HTTP, typed by the contract, and a valid registration form. */
import { readFileSync } from 'node:fs';
import type { Data, Endpoint } from '#contract/endpoint.ts';
import type { Failure } from '#contract/errors.ts';

export const customerPassword = '80412975';
const portrait = readFileSync(new URL('../src/server/demo/portraits/amara.webp', import.meta.url));

export type ApiAnswer<E extends Endpoint> = {
  status: number;
  headers: Headers;
  body: { success: true; message: string; data: Data<E> } & Partial<Omit<Failure, 'success' | 'data'>>;
};

export type CallOptions = {
  params?: Record<string, string>;
  query?: Record<string, string | number>;
  body?: unknown;
  token?: string | undefined;
  headers?: Record<string, string>;
  /** Cancels the request when it aborts. */
  signal?: AbortSignal;
};

/** Calls an endpoint of the bank at `url`. Sends `body` as JSON, or as multipart if it is a FormData. */
export async function callAt<E extends Endpoint>(
  url: string,
  endpoint: E,
  { params = {}, query = {}, body, token, headers = {}, signal }: CallOptions = {},
): Promise<ApiAnswer<E>> {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const search = new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)])).toString();
  const isForm = body instanceof FormData;
  const response = await fetch(`${url}${path}${search && `?${search}`}`, {
    method: endpoint.method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as never };
}

let count = 0;

/** The texts of a valid registration form, without email and password. */
export const registrationValues = {
  firstName: 'Nora',
  middleName: '',
  lastName: 'Quist',
  gender: 'female',
  address: '4 Meadow Row',
  region: 'New York',
  zipCode: '10014',
  phoneNumber: '2125550147',
};

/** Returns a valid registration form with a new email address; `fields` overrides its values. */
export function registrationForm(fields: Record<string, string> = {}): FormData {
  const values = {
    ...registrationValues,
    email: `nora${++count}@quist.example`,
    password: customerPassword,
    ...fields,
  };
  const data = new FormData();
  for (const [name, value] of Object.entries(values)) data.append(name, value);
  data.append('avatar', new Blob([portrait], { type: 'image/webp' }), 'me.webp');
  return data;
}

/** Returns the status, code and message of an answer, for comparing refusals. */
export const summarize = ({ status, body }: ApiAnswer<Endpoint>) => ({
  status,
  code: body.code,
  message: body.message,
});

/**
 * A browser at `address`. It makes calls with the bank's cookie, once the bank has sent one, and with `Sec-Fetch-Site`, as
 * browsers do. The bank must trust `X-Forwarded-For`.
 */
export function openBrowser(
  call: <E extends Endpoint>(endpoint: E, asked?: CallOptions) => Promise<ApiAnswer<E>>,
  address = '192.0.2.7',
): typeof call {
  let cookie: string | undefined;
  return async (endpoint, asked = {}) => {
    const headers = {
      ...asked.headers,
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': address,
      ...(cookie !== undefined && { cookie }),
    };
    const answer = await call(endpoint, { ...asked, headers });
    cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    return answer;
  };
}
