/** Somebody who waits long for an answer is told so instead of losing the line. */
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendRaw } from '../../../tests/rawRequest.ts';
import { answerLate } from './lateAnswer.ts';

const app = Fastify({ connectionTimeout: 500, forceCloseConnections: true });
let url: string;
let finish = () => {};

beforeAll(async () => {
  answerLate(app);
  app.all('/slow', async () => {
    await new Promise<void>(resolve => {
      finish = resolve;
    });
    return { done: true };
  });
  url = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

test('an answer that takes too long becomes a refusal, and the work ends unharmed', async () => {
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

test('somebody who stops in the middle of a body is not answered', async () => {
  const lines = ['POST /slow HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Content-Length: 100'];
  expect((await sendRaw(url, lines, '{')).status).toBeNaN();
});
