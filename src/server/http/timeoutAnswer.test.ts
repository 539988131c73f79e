/** A client that waits too long gets a `BUSY` response instead of a closed connection. */
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendRaw } from '../../../tests/rawRequest.ts';
import { answerOnTimeout } from './timeoutAnswer.ts';

const app = Fastify({ connectionTimeout: 500, forceCloseConnections: true });
let url: string;
let finish = () => {};

beforeAll(async () => {
  answerOnTimeout(app);
  app.all('/slow', async () => {
    await new Promise<void>(resolve => {
      finish = resolve;
    });
    return { done: true };
  });
  url = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

test('two requests that take too long are both refused as busy', async () => {
  const answer = await fetch(`${url}/slow`);
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('2');
  expect(answer.headers.get('connection')).toBe('close');
  expect(await answer.json()).toMatchObject({ success: false, code: 'BUSY' });
  finish();
  const again = fetch(`${url}/slow`);
  expect((await again).status).toBe(503);
  finish();
});

test('a client that stops in the middle of a body gets no response', async () => {
  const lines = ['POST /slow HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Content-Length: 100'];
  expect((await sendRaw(url, lines, '{')).status).toBeNaN();
});
