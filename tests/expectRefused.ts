/** Checks the HTTP form of a refusal: its envelope, its headers, and that it reveals no internals of the server. */
import { expect } from 'vitest';
import { type RefusalCode, refusals } from '#contract/errors.ts';

/** Text that would reveal internals of the server; no answer may contain it. */
export const leakPattern =
  /(at .+:\d+:\d+)|node_modules|\/src\/|FST_ERR|SQLSTATE|syntax error at|relation "|duplicate key|pg_|ECONN|argon2|jwt malformed|<!DOCTYPE/i;

/** Fails unless the answer to a typed call is this refusal. */
export function expectRefusal(
  { status, body }: { status: number; body: { code?: RefusalCode | undefined } },
  code: RefusalCode,
): void {
  expect({ status, code: body.code }).toEqual({ status: refusals[code].status, code });
}

const maxBodyBytes = 1024;

/** Fails, with `request` in the message, unless the answer is exactly this refusal. Returns the envelope. */
export async function expectRefused(
  request: string,
  answer: Response,
  code: RefusalCode,
): Promise<{ message: string; errors?: { field: string; message: string }[] }> {
  const text = await answer.text();
  const context = `${request} -> ${answer.status} ${text.slice(0, 300)}`;
  expect(answer.status, context).toBe(refusals[code].status);
  expect(text, context).not.toMatch(leakPattern);
  expect(Buffer.byteLength(text), context).toBeLessThanOrEqual(maxBodyBytes);
  const header = (name: string) => answer.headers.get(name);
  // One `expect` for all headers: these tests make thousands of requests, and every `expect` takes time.
  const headers = ['content-type', 'cache-control', 'x-request-id', 'www-authenticate'].map(header);
  expect(headers, context).toEqual([
    'application/json; charset=utf-8',
    'no-store',
    expect.stringMatching(/^[0-9a-f-]{36}$/),
    answer.status === 401 ? 'Bearer' : null,
  ]);
  const body = JSON.parse(text) as {
    message: string;
    errors?: { field: string; message: string }[];
    waitTime?: number;
  };
  const { waitTime } = body;
  const retryAfter = header('retry-after');
  const mayWait = answer.status === 429 || answer.status === 503;
  expect(retryAfter !== null, context).toBe(mayWait);
  if (answer.status === 429 || waitTime !== undefined) expect(String(waitTime), context).toBe(retryAfter);
  if (mayWait) expect(Number(retryAfter), context).toBeGreaterThan(0);
  expect(body, context).toEqual({
    success: false,
    code,
    message: expect.stringMatching(/\S/),
    ...(waitTime !== undefined && { waitTime }),
    ...(body.errors && {
      errors: body.errors.map(() => ({ field: expect.any(String), message: expect.any(String) })),
    }),
  });
  return body;
}
