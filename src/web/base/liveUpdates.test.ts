/** The live-update stream: open while the page is visible, reconnected after a failure, replaced by polling if unavailable. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { liveUpdates } from '#contract/constants.ts';
import { followLiveUpdates, type LiveUpdate } from './liveUpdates.ts';

type Connection = { token: string | null; say(text: string): void; end(): void; isAborted(): boolean };

let connections: Connection[];
let answer: () => number | 'away';
let updates: LiveUpdate[];
let stop: () => void;
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);
const changedEvent = (newest: string) => `event: changed\ndata: ${JSON.stringify({ newest })}\n\n`;
const last = () => connections.at(-1)!;

function setVisibility(visibility: 'visible' | 'hidden') {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility);
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  connections = [];
  updates = [];
  answer = () => 200;
  vi.stubGlobal('fetch', async (_: string, { headers, signal }: RequestInit) => {
    const status = answer();
    if (status === 'away') throw new TypeError('Failed to fetch');
    if (status !== 200) return new Response('{}', { status });
    let source: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        source = controller;
      },
    });
    signal!.addEventListener('abort', () => source.error(signal!.reason));
    connections.push({
      token: new Headers(headers).get('authorization'),
      say: text => source.enqueue(new TextEncoder().encode(text)),
      end: () => source.close(),
      isAborted: () => signal!.aborted,
    });
    return new Response(body, { status });
  });
});
afterEach(() => {
  stop();
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function startFollowing() {
  stop = followLiveUpdates('token-of-nora', update => updates.push(update));
  await pass(0);
}

test('an event is delivered immediately; the token is sent in a header [N-07]', async () => {
  await startFollowing();
  expect(connections.map(({ token }) => token)).toEqual(['Bearer token-of-nora']);
  last().say(changedEvent('n1'));
  last().say(`:\n\n${changedEvent('n2')}`);
  await pass(0);
  expect(updates).toEqual([
    { newest: 'n1', isFirst: true },
    { newest: 'n2', isFirst: false },
  ]);
});

test('a stream that ends is reopened within two seconds, and its first event reports the current state', async () => {
  await startFollowing();
  await pass(30_000);
  last().end();
  await pass(2_000);
  expect(connections).toHaveLength(2);
  last().say(changedEvent('n1'));
  await pass(0);
  expect(updates).toEqual([{ newest: 'n1', isFirst: true }]);
});

test('while the bank is unreachable the retries slow down, to at most 90 seconds apart', async () => {
  let tries = 0;
  answer = () => {
    tries++;
    return 'away';
  };
  await startFollowing();
  await pass(10_000);
  expect(tries).toBeGreaterThan(2);
  expect(tries).toBeLessThan(6);
  const before = tries;
  await pass(10 * 60_000);
  expect(tries - before).toBeGreaterThan(6);
  expect(tries - before).toBeLessThan(20);
  answer = () => 200;
  await pass(91_000);
  expect(connections).toHaveLength(1);
});

test('a silent stream without even a heartbeat is replaced by a new one', async () => {
  await startFollowing();
  for (let n = 0; n < 4; n++) {
    await pass(liveUpdates.heartbeatMs);
    last().say(':\n\n');
  }
  expect(connections).toHaveLength(1);
  await pass(liveUpdates.timeoutMs + 2_000);
  expect(connections).toHaveLength(2);
  expect(connections[0]!.isAborted()).toBe(true);
});

test('without a stream the bank is polled every minute', async () => {
  answer = () => 429;
  await startFollowing();
  await pass(3 * 60_000 + 100);
  expect(updates).toEqual(Array(3).fill({ newest: undefined, isFirst: false }));
});

test('a stream that is refused with 401 reports an update immediately', async () => {
  answer = () => 401;
  await startFollowing();
  expect(updates).toHaveLength(1);
});

test('a tab that stays hidden closes its stream, does not poll, and reconnects when it is visible again', async () => {
  await startFollowing();
  setVisibility('hidden');
  await pass(10_000);
  expect(last().isAborted()).toBe(false);
  await pass(11_000);
  expect(last().isAborted()).toBe(true);
  await pass(10 * 60_000);
  expect(connections).toHaveLength(1);
  expect(updates).toEqual([]);
  setVisibility('visible');
  await pass(0);
  expect(connections).toHaveLength(2);
});

test('a tab that is hidden briefly keeps its stream, and refetches when it is visible again', async () => {
  await startFollowing();
  setVisibility('hidden');
  await pass(5_000);
  setVisibility('visible');
  // Refetched, because the stream does not report changes in other tabs that move no money, such as a payee's nickname.
  expect(updates).toEqual([{ newest: undefined, isFirst: false }]);
  await pass(60_000);
  expect(connections[0]!.isAborted()).toBe(true);
  // The second connection replaced the silent stream. Switching tabs had opened none.
  expect(connections).toHaveLength(2);
});

test('a window beside another one refetches when it gets the focus, but only once if it also becomes visible', async () => {
  await startFollowing();
  window.dispatchEvent(new Event('focus'));
  expect(updates).toEqual([{ newest: undefined, isFirst: false }]);
  await pass(5_000);
  setVisibility('visible');
  window.dispatchEvent(new Event('focus'));
  expect(updates).toHaveLength(2);
});

test('a network that comes back is used immediately', async () => {
  answer = () => 'away';
  await startFollowing();
  await pass(5 * 60_000);
  answer = () => 200;
  window.dispatchEvent(new Event('online'));
  await pass(0);
  expect(connections).toHaveLength(1);
});

test('unsubscribing closes the stream for good', async () => {
  await startFollowing();
  stop();
  await pass(10 * 60_000);
  expect(last().isAborted()).toBe(true);
  expect(connections).toHaveLength(1);
  expect(updates).toEqual([]);
});
