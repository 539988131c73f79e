/** A press is sent until the bank has answered, however bad the connection, and no result is shown before that. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { wren } from '../../../tests/sessions.ts';
import type { CallError } from './callError.ts';
import { type Press, sendUntilAnswered } from './keyedPress.ts';
import { customerLoggedIn, loggedOut } from './session.ts';
import { makeStore } from './store.ts';

type Reply = { data: { data: string; message: string } } | { error: CallError };

const done = { data: 'sent', message: '' };
const sent: Reply = { data: done };
const silence: Reply = { error: { status: 'NETWORK', message: '' } };
const busyFor = (waitTime: number): Reply => ({
  error: { status: 503, code: 'BUSY', message: '', waitTime },
});

const firstPress = () => ({ key: crypto.randomUUID(), pressedAt: Date.now(), isRepeat: false });

/** Sends a new press; the bank replies as listed, then never again. */
function press(...replies: Reply[]) {
  return repeat(firstPress(), ...replies);
}

function repeat(pressed: Press, ...replies: Reply[]) {
  const store = makeStore();
  store.dispatch(customerLoggedIn(wren));
  const requests: { key: string; timeoutMs: number | undefined; at: number }[] = [];
  const late = vi.fn();
  const outcome = sendUntilAnswered<string>(
    ({ idempotencyKey, timeoutMs }) => {
      requests.push({ key: idempotencyKey, timeoutMs, at: Date.now() });
      return Object.assign(Promise.resolve(replies.shift() ?? silence), { reset: () => {} });
    },
    () => store.getState(),
    late,
    pressed,
  );
  return { store, requests, late, outcome };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  localStorage.clear();
  vi.useRealTimers();
});

test('an immediate answer is the result, without a notice to wait', async () => {
  const { outcome, late } = press(sent);
  expect(await outcome).toEqual(done);
  expect(late).not.toHaveBeenCalled();
});

test('the customer is notified after each attempt without an answer, and the same request is sent until it is answered', async () => {
  const { outcome, late, requests } = press(silence, silence, silence, sent);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(await outcome).toEqual(done);
  expect(late).toHaveBeenCalledTimes(3);
  expect(requests.map(({ timeoutMs }) => timeoutMs)).toEqual([10_000, 20_000, 40_000, 60_000]);
  expect(new Set(requests.map(({ key }) => key)).size).toBe(1);
});

test('the retry delays grow to fifteen seconds and no further', async () => {
  const { outcome, requests } = press(...Array<Reply>(7).fill(silence), sent);
  await vi.advanceTimersByTimeAsync(120_000);
  await outcome;
  expect(requests.slice(1).map(({ at }, place) => at - (requests[place]?.at ?? 0))).toEqual(
    [1, 2, 4, 8, 15, 15, 15].map(seconds => seconds * 1000),
  );
});

test('a wait time requested by the bank is respected', async () => {
  const { requests } = press(busyFor(7), sent);
  await vi.advanceTimersByTimeAsync(6999);
  expect(requests).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(requests).toHaveLength(2);
});

test('a browser that comes back online retries immediately', async () => {
  const { outcome, requests } = press(busyFor(50), sent);
  await vi.advanceTimersByTimeAsync(100);
  window.dispatchEvent(new Event('online'));
  expect(await outcome).toEqual(done);
  expect(requests).toHaveLength(2);
});

test('once the customer has logged out, the wait ends and nothing more is sent', async () => {
  const { store, outcome, requests } = press(busyFor(50), sent);
  await vi.advanceTimersByTimeAsync(100);
  store.dispatch(loggedOut());
  expect(await outcome).toBeUndefined();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(requests).toHaveLength(1);
});

test('a press that was kept across a reload is sent with its own key, and a refusal that does not come from the ledger leaves its result unknown', async () => {
  const tooMany: Reply = { error: { status: 429, code: 'TOO_MANY', message: '', waitTime: 1 } };
  const kept = { ...firstPress(), isRepeat: true };
  const { outcome, requests } = repeat(kept, tooMany, sent);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await outcome).toEqual(done);
  expect(requests.map(({ key }) => key)).toEqual([kept.key, kept.key]);

  const frozen: Reply = { error: { status: 403, code: 'ACCOUNT_FROZEN', message: '' } };
  expect(await repeat(kept, frozen).outcome).toMatchObject({ isUnknown: true });
});

test('a press more than an hour old is no longer sent, and its result is unknown', async () => {
  const pressedAt = Date.now() - 3_600_001;
  const { outcome, requests } = repeat({ ...firstPress(), pressedAt, isRepeat: true }, sent);
  expect(await outcome).toMatchObject({ isUnknown: true });
  expect(requests).toEqual([]);
});
