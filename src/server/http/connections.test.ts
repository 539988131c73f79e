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

/** Opens a connection and sends the same request `times` times, then one for each of `others`. The connection is paused. */
async function send(times: number, path: string, others: string[] = []): Promise<Socket> {
  const { hostname, port } = new URL(bank.url);
  const socket = createConnection({ host: hostname, port: Number(port) }).pause();
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  const paths = [...Array<string>(times).fill(path), ...others];
  socket.write(paths.map(each => `GET ${each} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`).join(''));
  return socket;
}

test('a visitor who sends very many requests on one connection and reads no answer does not make the bank refuse others', async () => {
  await send(1_500, '/api/openapi.json');
  for (let n = 0; n < 20; n++) {
    expect((await fetch(`${bank.url}/api/docs`)).status).toBe(200);
    await sleep(50);
  }
});

test.each([
  ['of API calls', authApi.profile.path],
  ['whose addresses are malformed', '/%zz'],
])('a client is disconnected for more than 16 requests %s', async (_, path) => {
  const hasty = await send(1, authApi.profile.path, Array(16).fill(path));
  let answered = '';
  hasty.on('data', chunk => {
    answered += chunk;
  });
  await hungUp(hasty.resume());
  expect(answered).toBe('');
});

test('a client may send 16 requests without waiting, and then more', async () => {
  const { path } = authApi.profile;
  const patient = await send(16, path);
  const chunks: Buffer[] = [];
  patient.on('data', chunk => chunks.push(chunk));
  const answers = () =>
    Buffer.concat(chunks)
      .toString()
      .match(/HTTP\/1\.1 401 /g)?.length;
  patient.resume();
  await eventually(() => (answers() === 16 ? true : undefined));
  // The connection can still be used.
  patient.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await eventually(() => (answers() === 17 ? true : undefined));
});
