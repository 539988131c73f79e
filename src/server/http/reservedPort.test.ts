/** A reserved port stays free for the server that will listen on it. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { reservePort } from './reservedPort.ts';

test('a reserved port cannot be used by another server until it is released', async () => {
  const { port, release } = await reservePort('127.0.0.1');
  const rival = createServer().listen(port, '127.0.0.1');
  const [refusal] = (await once(rival, 'error')) as [NodeJS.ErrnoException];
  expect(refusal.code).toBe('EADDRINUSE');

  await release();
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();
});
