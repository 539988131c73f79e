/** Clients that send many requests on one connection without waiting for the responses. */
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { authApi } from '#contract/auth.ts';
import { hungUp } from '../../../tests/rawRequest.ts';
import { eventually, openTestBank, type TestBank } from '../../../tests/server.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await openTestBank();
});
afterAll(() => bank.close());

const get = (path: string, header = 'Host: bank') => `GET ${path} HTTP/1.1\r\n${header}\r\n\r\n`;

/** Opens a connection and sends requests. The connection is paused. */
async function send(requests: string[]): Promise<Socket> {
  const { hostname, port } = new URL(bank.url);
  const socket = createConnection({ host: hostname, port: Number(port) }).pause();
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write(requests.join(''));
  return socket;
}

test('a visitor who sends very many requests on one connection and reads no answer does not make the bank refuse others', async () => {
  await send(Array<string>(1_500).fill(get('/api/openapi.json')));
  for (let n = 0; n < 20; n++) {
    expect((await fetch(`${bank.url}/api/docs`)).status).toBe(200);
    await sleep(50);
  }
});

test.each([
  ['for an API route', get(authApi.profile.path)],
  ['with malformed URLs', get('/%zz')],
  ['with an unknown expectation', get(authApi.profile.path, 'Host: bank\r\nExpect: cake')],
  ['without a host', get(authApi.profile.path, 'X: y')],
])('a client that pipelines more than 16 requests %s is disconnected', async (_, request) => {
  const hasty = await send([get(authApi.profile.path), ...Array<string>(16).fill(request)]);
  let answered = '';
  hasty.on('data', chunk => {
    answered += chunk;
  });
  await hungUp(hasty.resume());
  expect(answered).toBe('');
});

test('a client may send 16 requests without waiting, and then more', async () => {
  const request = get(authApi.profile.path);
  const patient = await send(Array<string>(16).fill(request));
  const chunks: Buffer[] = [];
  patient.on('data', chunk => chunks.push(chunk));
  const answers = () =>
    Buffer.concat(chunks)
      .toString()
      .match(/HTTP\/1\.1 401 /g)?.length;
  patient.resume();
  await eventually(() => (answers() === 16 ? true : undefined));
  // The connection can still be used.
  patient.write(request);
  await eventually(() => (answers() === 17 ? true : undefined));
});
