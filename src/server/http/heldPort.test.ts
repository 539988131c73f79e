import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { holdPort } from './heldPort.ts';

test('a held port is nobody else’s until it is given up, and then free at once', async () => {
  const { port, release } = await holdPort('127.0.0.1');
  const rival = createServer().listen(port, '127.0.0.1');
  const [refusal] = (await once(rival, 'error')) as [NodeJS.ErrnoException];
  expect(refusal.code).toBe('EADDRINUSE');

  await release();
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();
});
