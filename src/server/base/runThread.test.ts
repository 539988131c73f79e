/** Threads that reply and end at once. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runThread } from './runThread.ts';

const replies = new URL(
  'data:text/javascript,import { parentPort } from "node:worker_threads"; parentPort.postMessage({ n: 1 });',
);

test('a thread’s reply counts even if the thread ends before the reply is read; without a reply, the run fails [RF-39]', async () => {
  const read = async (reply: object) => {
    await wait(200);
    return reply;
  };
  expect(await runThread(replies, {}, undefined, read)).toEqual({ n: 1 });
  const ignore = async () => undefined;
  await expect(runThread(replies, {}, undefined, ignore)).rejects.toThrow('without a reply');
});
