/** Retry loops: what they do after errors, and how they stop. */
import { expect, test, vi } from 'vitest';
import { waitOptions } from '../../../tests/waiting.ts';
import { startRetryLoop } from './retryLoop.ts';

test('a loop repeats its work, reports errors, and tries again', async () => {
  const errors: string[] = [];
  let rounds = 0;
  const loop = startRetryLoop(
    async () => {
      rounds++;
      if (rounds === 3 || rounds === 4) throw new Error(`round ${rounds}`);
      return rounds < 3;
    },
    { idleMs: 1, maxPauseMs: 2, onError: error => errors.push(error.message) },
  );
  await vi.waitFor(() => expect(rounds).toBeGreaterThan(6), waitOptions);
  await loop.stop();
  expect(errors).toEqual(['round 3', 'round 4']);
});

test('stopping a loop aborts the signal of its current round, waits for that round and starts no new one', async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let rounds = 0;
  let signal: AbortSignal | undefined;
  const loop = startRetryLoop(
    given => {
      rounds++;
      signal = given;
      return promise;
    },
    { idleMs: 60_000, onError: () => {} },
  );
  let isStopped = false;
  const stopped = loop.stop().then(() => {
    isStopped = true;
  });
  expect(signal!.aborted).toBe(true);
  await new Promise(setImmediate);
  expect(isStopped).toBe(false);
  resolve(false);
  await stopped;
  expect(rounds).toBe(1);
});
