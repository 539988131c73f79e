/** From a contract record to a route: what a request may hold, and how a broken rule speaks. */
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { limit } from '#contract/fields.ts';
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

const app = Fastify();
beforeAll(async () => {
  app.setErrorHandler((error, request, reply) => sendRefusal(reply, toRefusal(error, request.log)));
  await registerUploads(app, false);
  const nobodyAsks = async () => {
    throw new Error('nobody asks who calls');
  };
  serveArea(
    app,
    api,
    { look: async ({ query }) => ({ data: query }) },
    { sessions: { read: nobodyAsks, find: nobodyAsks }, spendQuota: nobodyAsks, inTurn: nobodyAsks },
  );
  await app.ready();
});
afterAll(() => app.close());

async function look(query: string, headers: Record<string, string> = {}) {
  const answer = await app.inject({ url: `${api.look.path}${query}`, headers });
  return { status: answer.statusCode, body: answer.json() as Record<string, unknown> };
}

test('an empty filter is no filter', async () => {
  expect((await look('?kind=&limit=')).body.data).toEqual({ limit: 10 });
  expect((await look('?kind=in&limit=')).body.data).toEqual({ limit: 10, kind: 'in' });
});

test('a parameter nobody knows is refused by its name, empty or not', async () => {
  for (const query of ['?colour=red', '?colour=', '?colour', '?kind=&colour=', '?limit=x&colour='])
    expect(await look(query), query).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION', errors: [{ field: 'colour', message: 'Unknown field: colour' }] },
    });
});

test('a rule without a sentence of its own says the general one', async () => {
  expect(await look('?kind=sideways')).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'kind', message: 'Please check what you entered and try again.' }] },
  });
  expect((await look('?kind=in&kind=out')).status).toBe(400);
});

test('a key that cannot be one is told how long one is', async () => {
  for (const key of ['short', 'x'.repeat(129), 'with a blank'])
    expect((await look('', { 'idempotency-key': key })).body.errors).toEqual([
      { field: 'Idempotency-Key', message: 'Please use 8 to 128 printable characters' },
    ]);
});
