/** Deadlines and sleeps: which result is returned, and that no rejection or timer is left over. */
import { expect, test } from 'vitest';
import { sleep, withDeadline } from './deadline.ts';

const never = new Promise<never>(() => {});

test('work that ends in time settles with its own result or error', async () => {
  expect(await withDeadline(Promise.resolve('done'), 10_000, () => 'late')).toBe('done');
  const failing = Promise.reject(new Error('failed'));
  await expect(withDeadline(failing, 10_000, () => 'late')).rejects.toThrow('failed');
});

test('work that hangs settles as `onLate` does, with a value or an error', async () => {
  expect(await withDeadline(never, 1, () => 'late')).toBe('late');
  const refuse = () => {
    throw new Error('too late');
  };
  await expect(withDeadline(never, 1, refuse)).rejects.toThrow('too late');
});

test('work that fails after its deadline causes no unhandled rejection', async () => {
  const { promise, reject } = Promise.withResolvers<never>();
  expect(await withDeadline(promise, 1, () => 'late')).toBe('late');
  reject(new Error('failed too late'));
  await new Promise(setImmediate);
});

test('a sleep ends immediately if its signal aborts before or during it', async () => {
  await sleep(60_000, AbortSignal.abort());
  const stopping = new AbortController();
  const paused = sleep(60_000, stopping.signal);
  stopping.abort();
  await paused;
});
