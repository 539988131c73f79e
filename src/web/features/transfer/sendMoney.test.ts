/** One press sends once: every try carries the same key, and only a true answer of the bank is shown. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Transaction } from '#contract/entities.ts';
import { messages } from '#contract/messages.ts';
import { customerLoggedIn, loggedOut } from '#web/base/session.ts';
import { makeStore } from '#web/base/store.ts';
import { sendMoney } from './sendMoney.ts';
import { selectTransfer, transferReset } from './transferSlice.ts';

const transaction: Transaction = {
  _id: 't1',
  reference: 'LKS-1',
  type: 'transfer',
  status: 'completed',
  amount: 250,
  timestamp: '2026-11-20T12:00:00.000Z',
  description: '',
};
const claims = btoa(JSON.stringify({ exp: Math.floor(Date.now() / 1000) + 3600 }));
const customer = {
  _id: 'me',
  firstName: 'Amara',
  lastName: 'Lindqvist',
  email: 'amara@example.com',
  avatar: { url: '' },
  accountNumber: '482109375527',
  isApproved: true,
  token: `x.${claims}.x`,
};
const sending = {
  kind: 'internal',
  body: { receiverAccountNumber: '730511842298', amount: 250, description: '' },
} as const;

const done = () => answer(201, { success: true, message: 'Transfer successful', data: transaction });
const refused = (status: number, code: string, message: string) =>
  answer(status, { success: false, code, message });
const proxyDown = () => new Response('<h1>Bad gateway</h1>', { status: 502 });
const broken = () => Promise.reject(new TypeError('Failed to fetch'));

function answer(status: number, body: unknown) {
  return new Response(JSON.stringify(body), { status });
}

/** A store with somebody logged in, and a bank that answers as listed. */
function bank(...answers: (() => Response | Promise<Response>)[]) {
  const keys: (string | null)[] = [];
  vi.stubGlobal('fetch', async (_: string, request: RequestInit) => {
    keys.push(new Headers(request.headers).get('idempotency-key'));
    return (answers.shift() ?? broken)();
  });
  const store = makeStore();
  store.dispatch(customerLoggedIn(customer));
  return { store, keys, state: () => selectTransfer(store.getState()) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('an accepted transfer is stored with the bank’s sentence', async () => {
  const { store, state } = bank(done);
  const sent = store.dispatch(sendMoney(sending));
  expect(state()).toMatchObject({ loading: true, success: false, message: '' });
  await sent;
  expect(state()).toEqual({
    loading: false,
    success: true,
    error: false,
    message: 'Transfer successful',
    transaction,
  });
});

test('a broken line, a proxy and a busy bank are asked again with one and the same key', async () => {
  const busy = () => refused(503, 'BUSY', messages.errors.busy);
  const { store, keys, state } = bank(broken, proxyDown, busy, done);
  const sent = store.dispatch(sendMoney(sending));
  await vi.advanceTimersByTimeAsync(500);
  expect(state()).toMatchObject({ loading: true, success: false, message: messages.transfer.processingText });
  await vi.advanceTimersByTimeAsync(60_000);
  await sent;
  expect(state()).toMatchObject({ loading: false, success: true, transaction });
  expect(keys).toHaveLength(4);
  expect(new Set(keys).size).toBe(1);
});

test('two presses are two transfers: each has its own key', async () => {
  const { store, keys } = bank(done, done);
  await store.dispatch(sendMoney(sending));
  await store.dispatch(sendMoney(sending));
  expect(new Set(keys).size).toBe(2);
});

test('a refusal is told in the bank’s words and asks no second time', async () => {
  const { store, keys, state } = bank(() => refused(422, 'INSUFFICIENT_BALANCE', 'Insufficient balance'));
  await store.dispatch(sendMoney(sending));
  expect(state()).toMatchObject({
    loading: false,
    error: true,
    message: 'Insufficient balance',
    transaction: null,
  });
  expect(keys).toHaveLength(1);
});

test('a fault of the bank is told by the fallback', async () => {
  const { store, state } = bank(() => refused(500, 'FAULT', messages.errors.fault));
  await store.dispatch(sendMoney(sending));
  expect(state().message).toBe('An error occurred during the transfer kindly contact customer care.');
});

test('"too often" after a lost answer is not taken for a refusal of the transfer', async () => {
  const tooOften = () => refused(429, 'TOO_MANY', messages.errors.tooMany);
  const { store, state } = bank(broken, tooOften, done);
  const sent = store.dispatch(sendMoney(sending));
  await vi.advanceTimersByTimeAsync(60_000);
  await sent;
  expect(state()).toMatchObject({ success: true });
});

test('an answer that comes after the logout is shown to nobody', async () => {
  const line = Promise.withResolvers<Response>();
  const { store, state } = bank(() => line.promise);
  const sent = store.dispatch(sendMoney(sending));
  await vi.advanceTimersByTimeAsync(10);
  store.dispatch(loggedOut());
  line.resolve(done());
  await vi.advanceTimersByTimeAsync(60_000);
  await sent;
  expect(state()).toMatchObject({ loading: false, success: false, transaction: null });
});

test('a reset forgets how the last transfer went', async () => {
  const { store, state } = bank(done);
  await store.dispatch(sendMoney(sending));
  store.dispatch(transferReset());
  expect(state()).toEqual({ loading: false, success: false, error: false, message: '', transaction: null });
});
