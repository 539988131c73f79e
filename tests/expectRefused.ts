/** What every "no" over HTTP must look like, whatever was asked: the envelope, its headers, and nothing of the inside. */
import { expect } from 'vitest';
import { type RefusalCode, refusals } from '#contract/errors.ts';

/** Words that only the inside of the server knows; none may reach a caller. */
export const leakPattern =
  /(at .+:\d+:\d+)|node_modules|\/src\/|FST_ERR|SQLSTATE|syntax error at|relation "|duplicate key|pg_|ECONN|argon2|jwt malformed|<!DOCTYPE/i;

const maxBodyBytes = 1024;

/** Fails, naming `asked`, unless the answer is exactly this refusal. Gives the envelope. */
export async function expectRefused(
  asked: string,
  answer: Response,
  code: RefusalCode,
): Promise<{ message: string; errors?: { field: string; message: string }[] }> {
  const text = await answer.text();
  const about = `${asked} -> ${answer.status} ${text.slice(0, 300)}`;
  expect(answer.status, about).toBe(refusals[code].status);
  expect(text, about).not.toMatch(leakPattern);
  expect(Buffer.byteLength(text), about).toBeLessThanOrEqual(maxBodyBytes);
  expect(answer.headers.get('content-type'), about).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('cache-control'), about).toBe('no-store');
  expect(answer.headers.get('x-request-id'), about).toMatch(/^[0-9a-f-]{36}$/);
  if (answer.status === 401) expect(answer.headers.get('www-authenticate'), about).toBe('Bearer');
  const body = JSON.parse(text) as {
    message: string;
    errors?: { field: string; message: string }[];
    waitTime?: number;
  };
  const { message, errors, waitTime, ...rest } = body;
  const retryAfter = answer.headers.get('retry-after');
  const mayWait = answer.status === 429 || answer.status === 503;
  expect(retryAfter !== null, about).toBe(mayWait);
  if (answer.status === 429 || waitTime !== undefined) expect(String(waitTime), about).toBe(retryAfter);
  if (mayWait) expect(Number(retryAfter), about).toBeGreaterThan(0);
  expect(rest, about).toEqual({ success: false, code });
  expect(message, about).toMatch(/\S/);
  for (const one of errors ?? [])
    expect(one, about).toEqual({ field: expect.any(String), message: expect.any(String) });
  return body;
}
