/** Threads that reply and end at once. */
import { expect, test } from 'vitest';
import { runThread } from './runThread.ts';

test('a file that a thread has read counts as read, even if the thread ends before this process sees its reply [RF-39]', async () => {
  const module = new URL(
    `data:text/javascript,import { parentPort } from 'node:worker_threads'; parentPort.postMessage({}); process.exit();`,
  );
  for (let i = 0; i < 20; i++)
    expect(await runThread(module, {}, undefined, async (reply: object) => reply)).toEqual({});
});
