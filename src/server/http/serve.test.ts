/** Routes from contract records: request validation, error messages, and the limit on parallel calls. */
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { personQuotas } from '#contract/constants.ts';
import { endpoint } from '#contract/endpoint.ts';
import { Refusal } from '#contract/errors.ts';
import { limit } from '#contract/fields.ts';
import { waitOptions } from '../../../tests/waiting.ts';
import { limitConcurrencyByKey } from '../base/concurrency.ts';
import { openRateLimits } from '../base/rateLimit.ts';
import { openFileDownloads } from './fileDownloads.ts';
import { sendRefusal, toRefusal } from './refusal.ts';
import { serveArea } from './serve.ts';
import { registerUploads } from './uploads.ts';

const api = {
  look: endpoint({
    method: 'GET',
    path: '/api/v1/look',
    access: 'none',
    query: z.strictObject({ limit: limit(10), kind: z.optional(z.enum(['in', 'out'])) }),
    data: z.object({ limit: z.number(), kind: z.optional(z.string()) }),
    idempotent: true,
    message: 'Looked',
    summary: 'Looks',
  }),
};

const neverCalled = () => {
  throw new Error('this call needs no session');
};

const app = Fastify();
beforeAll(async () => {
  app.setErrorHandler((error, request, reply) => sendRefusal(reply, toRefusal(error, request.log)));
  await registerUploads(app, false);
  serveArea(
    app,
    api,
    { look: async ({ query }) => ({ data: query }) },
    {
      sessions: { read: neverCalled, find: neverCalled },
      quotas: openRateLimits(personQuotas),
      limitPerson: neverCalled,
      files: openFileDownloads(),
      openChallenge: neverCalled,
      requiresAdminFactor: false,
      isHttps: false,
    },
  );
  await app.ready();
});
afterAll(() => app.close());

async function look(query: string, headers: Record<string, string> = {}) {
  const answer = await app.inject({ url: `${api.look.path}${query}`, headers });
  return { status: answer.statusCode, body: answer.json() as Record<string, unknown> };
}

test('an empty filter counts as no filter', async () => {
  expect((await look('?kind=&limit=')).body.data).toEqual({ limit: 10 });
  expect((await look('?kind=in&limit=')).body.data).toEqual({ limit: 10, kind: 'in' });
});

test('an unknown parameter is refused with its name, whether it is empty or not', async () => {
  for (const query of ['?colour=red', '?colour=', '?colour', '?kind=&colour=', '?limit=x&colour='])
    expect(await look(query), query).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION', errors: [{ field: 'colour', message: 'Unknown field: colour' }] },
    });
});

test('a rule without its own message gets the general one', async () => {
  expect(await look('?kind=sideways')).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'kind', message: 'Please check what you entered and try again.' }] },
  });
  expect((await look('?kind=in&kind=out')).status).toBe(400);
});

test('an invalid idempotency key is refused with the allowed length', async () => {
  for (const key of ['short', 'x'.repeat(129), 'with a blank'])
    expect((await look('', { 'idempotency-key': key })).body.errors).toEqual([
      { field: 'Idempotency-Key', message: 'Please use 8 to 128 printable characters' },
    ]);
});

test('work that waited for a slot runs only if its caller is still logged in and connected, and ending a session never waits', async () => {
  const call = { access: 'customer', message: 'Done', summary: 'Does' } as const;
  const calls = {
    work: endpoint({ ...call, method: 'GET', path: '/api/v1/work' }),
    leave: endpoint({ ...call, method: 'DELETE', path: '/api/v1/work', outsidePersonLimit: true }),
  };
  const liveSessions = new Set(['laptop', 'phone']);
  const begun: (() => void)[] = [];
  const limited = limitConcurrencyByKey({ maxRunning: 2, maxOfGroup: 1, maxWaiting: 9, waitTime: 1 });
  let [waiting, closed] = [0, 0];
  const server = Fastify({ forceCloseConnections: true });
  server.addHook('onRequest', async (_, reply) => void reply.raw.once('close', () => closed++));
  server.setErrorHandler((error, request, reply) => sendRefusal(reply, toRefusal(error, request.log)));
  await registerUploads(server, false);
  serveArea(
    server,
    calls,
    {
      work: () => new Promise<void>(resolve => begun.push(resolve)),
      leave: async ({ customer }) => void liveSessions.delete(customer.sessionId),
    },
    {
      sessions: {
        read: async ({ authorization }) =>
          ({ kind: 'customer', sessionId: authorization!, personId: 'one person' }) as never,
        find: async ({ sessionId, personId }) => {
          if (!liveSessions.has(sessionId)) throw new Refusal('NOT_AUTHORIZED');
          return {
            customer: { sessionId, customerId: personId, accountId: 1n, isApproved: true, isFrozen: false },
          };
        },
      },
      quotas: openRateLimits(personQuotas),
      files: openFileDownloads(),
      openChallenge: () => Promise.reject(new Error('not called')),
      limitPerson: (person, work, source) => {
        waiting++;
        return limited(person, work, source);
      },
      requiresAdminFactor: false,
      isHttps: false,
    },
  );
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  const ask = async (method: 'GET' | 'DELETE', authorization: string, signal?: AbortSignal) => {
    const answer = await fetch(`${url}/api/v1/work`, {
      method,
      headers: { authorization },
      ...(signal && { signal }),
    });
    return answer.status;
  };
  try {
    const hangUp = new AbortController();
    const first = ask('GET', 'phone');
    await vi.waitFor(() => expect(begun).toHaveLength(1), waitOptions);
    const hungUp = ask('GET', 'phone', hangUp.signal).catch(() => 'hung up');
    await vi.waitFor(() => expect(waiting).toBe(2), waitOptions);
    const second = ask('GET', 'phone');
    await vi.waitFor(() => expect(waiting).toBe(3), waitOptions);
    const third = ask('GET', 'phone');
    await vi.waitFor(() => expect(waiting).toBe(4), waitOptions);
    // Another session of the same person has its own limit.
    const laptop = ask('GET', 'laptop');
    await vi.waitFor(() => expect(begun).toHaveLength(2), waitOptions);
    hangUp.abort();
    expect(await hungUp).toBe('hung up');
    await vi.waitFor(() => expect(closed).toBe(1), waitOptions);
    begun[0]!();
    expect(await first).toBe(200);
    await vi.waitFor(() => expect(begun).toHaveLength(3), waitOptions);
    expect(await ask('DELETE', 'phone')).toBe(200);
    begun[2]!();
    expect(await second).toBe(200);
    expect(await third).toBe(401);
    expect(begun).toHaveLength(3);
    begun[1]!();
    expect(await laptop).toBe(200);
  } finally {
    await server.close();
  }
});
