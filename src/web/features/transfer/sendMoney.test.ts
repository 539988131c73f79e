/** One press sends once: every retry carries the same idempotency key, and an uncertain answer is not shown as a refusal. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as errorMessages from '#contract/messages/errors.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { pressStoredAs } from '#web/base/keptPress.ts';
import { customerLoggedIn, loggedOut, selectCustomer } from '#web/base/session.ts';
import { hostStepUps } from '#web/base/stepUp.ts';
import { makeStore } from '#web/base/store.ts';
import { tokenExpiringAt, wren } from '../../../../tests/sessions.ts';
import { aTransaction } from '../../../../tests/transactions.ts';
import { answerQuestion, followTransfers, sendMoney } from './sendMoney.ts';
import { selectTransfer, transferReset } from './transferSlice.ts';

const transaction = aTransaction({ amount: 250 });
const newToken = `${wren.token}new`;
/** The same customer, Wren, after another login. */
const wrenAgain = { ...wren, token: tokenExpiringAt(4_102_444_800, 'another session') };
const anotherCustomer = { ...wren, _id: 'bert', firstName: 'Bert', token: `${wren.token}bert` };
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

/** A store with a logged-in customer, and a bank that gives the listed answers. */
function bank(...answers: (() => Response | Promise<Response>)[]) {
  const keys: (string | null)[] = [];
  const tokens: (string | null)[] = [];
  vi.stubGlobal('fetch', async (_: string, request: RequestInit) => {
    keys.push(new Headers(request.headers).get('idempotency-key'));
    tokens.push(new Headers(request.headers).get('authorization'));
    return (answers.shift() ?? broken)();
  });
  const store = makeStore();
  store.dispatch(customerLoggedIn(wren));
  return { store, keys, tokens, state: () => selectTransfer(store.getState()) };
}

/** Whether closing the page now would ask for confirmation. */
function asksBeforeLeaving(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  localStorage.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('an accepted transfer is stored with the bank’s sentence [ST-08]', async () => {
  const { store, state } = bank(done);
  const sent = store.dispatch(sendMoney(sending));
  expect(state()).toMatchObject({ loading: true, success: false, message: '' });
  await sent;
  expect(state()).toMatchObject({
    loading: false,
    success: true,
    error: false,
    message: 'Transfer successful',
    transaction,
    unconfirmed: false,
  });
});

test('a broken connection, a proxy error and a busy bank are retried with the same key', async () => {
  const busy = () => refused(503, 'BUSY', errorMessages.busy);
  const { store, keys, state } = bank(broken, proxyDown, busy, done);
  const sent = store.dispatch(sendMoney(sending));
  await vi.advanceTimersByTimeAsync(500);
  expect(state()).toMatchObject({ loading: true, success: false, message: transferMessages.processingText });
  await vi.advanceTimersByTimeAsync(60_000);
  await sent;
  expect(state()).toMatchObject({ loading: false, success: true, transaction });
  expect(keys).toHaveLength(4);
  expect(new Set(keys).size).toBe(1);
});

test('two presses are two transfers, each with its own key [C-20]', async () => {
  const { store, keys } = bank(done, done);
  await store.dispatch(sendMoney(sending));
  await store.dispatch(sendMoney(sending));
  expect(new Set(keys).size).toBe(2);
});

test('a refusal shows the bank’s sentence and is not retried', async () => {
  const { store, keys, state } = bank(() => refused(422, 'INSUFFICIENT_BALANCE', 'Insufficient balance'));
  await store.dispatch(sendMoney(sending));
  expect(state()).toMatchObject({
    loading: false,
    error: true,
    message: 'Insufficient balance',
    transaction: null,
    unconfirmed: false,
  });
  expect(keys).toHaveLength(1);
});

const fault = () => refused(500, 'FAULT', errorMessages.fault);

test('a persistent server error shows the fallback text, and does not claim that nothing was sent', async () => {
  const { store, keys, state } = bank(fault, fault, fault);
  const sent = store.dispatch(sendMoney(sending));
  await vi.advanceTimersByTimeAsync(60_000);
  await sent;
  expect(state()).toMatchObject({
    error: true,
    message: 'An error occurred during the transfer kindly contact customer care.',
    unconfirmed: true,
  });
  expect(new Set(keys).size).toBe(1);
});

test('a server error after the money moved ends with the actual result', async () => {
  const { store, state } = bank(fault, done);
  const sent = store.dispatch(sendMoney(sending));
  await vi.advanceTimersByTimeAsync(60_000);
  await sent;
  expect(state()).toMatchObject({ success: true, transaction });
});

test.each([
  ['freeze', 403, 'ACCOUNT_FROZEN'],
  ['validation error', 400, 'VALIDATION'],
])('after a lost answer a %s does not count as a refusal of the transfer', async (_, status, code) => {
  const { store, state } = bank(broken, () => refused(status, code, 'No'));
  const sent = store.dispatch(sendMoney(sending));
  await vi.advanceTimersByTimeAsync(60_000);
  await sent;
  expect(state()).toMatchObject({ error: true, unconfirmed: true, message: transferMessages.unconfirmed });
});

test('after a lost answer, a refusal by the ledger is definite', async () => {
  const { store, state } = bank(broken, () => refused(422, 'INSUFFICIENT_BALANCE', 'Insufficient balance'));
  const sent = store.dispatch(sendMoney(sending));
  await vi.advanceTimersByTimeAsync(60_000);
  await sent;
  expect(state()).toMatchObject({ error: true, unconfirmed: false, message: 'Insufficient balance' });
});

test('if the session is refused after an answer was lost, it ends, and the transfer shows no result', async () => {
  const { store, state } = bank(broken, () => refused(401, 'TOKEN_EXPIRED', errorMessages.tokenExpired));
  const sent = store.dispatch(sendMoney(sending));
  await vi.advanceTimersByTimeAsync(60_000);
  await sent;
  expect(store.getState().auth.user).toBeNull();
  expect(state()).toMatchObject({ loading: false, error: false, message: '' });
});

test('a rate limit after a lost answer does not count as a refusal of the transfer', async () => {
  const tooOften = () => refused(429, 'TOO_MANY', errorMessages.tooMany);
  const { store, state } = bank(broken, tooOften, done);
  const sent = store.dispatch(sendMoney(sending));
  await vi.advanceTimersByTimeAsync(60_000);
  await sent;
  expect(state()).toMatchObject({ success: true });
});

test('an answer that arrives after the logout is not shown', async () => {
  const pendingAnswer = Promise.withResolvers<Response>();
  const { store, state } = bank(() => pendingAnswer.promise);
  const sent = store.dispatch(sendMoney(sending));
  await vi.advanceTimersByTimeAsync(10);
  store.dispatch(loggedOut());
  pendingAnswer.resolve(done());
  await vi.advanceTimersByTimeAsync(60_000);
  await sent;
  expect(state()).toMatchObject({ loading: false, success: false, transaction: null });
});

test('a reset clears the result of the last transfer [ST-07]', async () => {
  const { store, state } = bank(done);
  await store.dispatch(sendMoney(sending));
  store.dispatch(transferReset());
  expect(state()).toEqual({
    loading: false,
    success: false,
    error: false,
    message: '',
    transaction: null,
    unconfirmed: false,
    pressed: null,
    question: null,
  });
});

test('after its sender logs out, a transfer is not retried with the next customer’s session', async () => {
  const { store, tokens, state } = bank(broken, done);
  const sent = store.dispatch(sendMoney(sending));
  await vi.advanceTimersByTimeAsync(500);
  store.dispatch(loggedOut());
  store.dispatch(customerLoggedIn(anotherCustomer));
  await sent;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tokens).toEqual([`Bearer ${wren.token}`]);
  expect(state()).toMatchObject({ loading: false, success: false, transaction: null });
});

test('a transfer is not retried when another tab logs another customer in', async () => {
  const { store, tokens } = bank(broken, done);
  const sent = store.dispatch(sendMoney(sending));
  await vi.advanceTimersByTimeAsync(500);
  const newValue = JSON.stringify(anotherCustomer);
  dispatchEvent(new StorageEvent('storage', { key: 'user', newValue, storageArea: localStorage }));
  expect(store.getState().auth.user?._id).toBe('bert');
  await sent;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tokens).toEqual([`Bearer ${wren.token}`]);
});

test('a token renewed for the same customer is used by the next retry', async () => {
  const { store, tokens, state } = bank(broken, done);
  const sent = store.dispatch(sendMoney(sending));
  await vi.advanceTimersByTimeAsync(500);
  store.dispatch(customerLoggedIn({ ...wren, token: newToken }));
  await vi.advanceTimersByTimeAsync(60_000);
  await sent;
  expect(tokens).toEqual([`Bearer ${wren.token}`, `Bearer ${newToken}`]);
  expect(state()).toMatchObject({ success: true });
});

test('a late answer to one customer is not shown as the next customer’s own transfer', async () => {
  const first = Promise.withResolvers<Response>();
  const second = Promise.withResolvers<Response>();
  const { store, state } = bank(
    () => first.promise,
    () => second.promise,
  );
  const sent = store.dispatch(sendMoney(sending));
  await vi.advanceTimersByTimeAsync(10);
  store.dispatch(loggedOut());
  store.dispatch(customerLoggedIn(anotherCustomer));
  const own = store.dispatch(sendMoney(sending));
  await vi.advanceTimersByTimeAsync(10);
  first.resolve(done());
  await sent;
  expect(state()).toMatchObject({ loading: true, success: false, transaction: null });
  second.resolve(refused(422, 'INSUFFICIENT_BALANCE', 'Insufficient balance'));
  await own;
  expect(state()).toMatchObject({ loading: false, error: true });
});

test('closing the page asks for confirmation while a transfer is unanswered, whichever screen is shown', async () => {
  const { store } = bank(broken, done);
  expect(asksBeforeLeaving()).toBe(false);
  const sent = store.dispatch(sendMoney(sending));
  expect(asksBeforeLeaving()).toBe(true);
  await vi.advanceTimersByTimeAsync(60_000);
  await sent;
  expect(asksBeforeLeaving()).toBe(false);
});

const kept = () => localStorage.getItem(pressStoredAs);

/**
 * Sends money while the bank does not answer, and opens the page again: a new store with the same browser storage. The logout
 * ends the retries of the old store.
 */
async function pressAndReload(...answersAfter: (() => Response | Promise<Response>)[]) {
  const before = bank(broken);
  void before.store.dispatch(sendMoney(sending));
  await vi.advanceTimersByTimeAsync(500);
  const key = before.keys[0];
  before.store.dispatch(loggedOut('ended'));
  return { key, ...bank(...answersAfter) };
}

test('a press without an answer survives a reload: the app asks the bank again with the same key, then forgets the press [T-31]', async () => {
  const { store, key, keys, state } = await pressAndReload(done);
  expect(kept()).toContain(key);
  store.dispatch(followTransfers(wren._id));
  expect(state()).toMatchObject({ loading: true, pressed: { sending } });
  await vi.advanceTimersByTimeAsync(100);
  expect(keys).toEqual([key]);
  expect(state()).toMatchObject({ success: true, transaction });
  expect(kept()).toBeNull();
});

const asksToConfirm = () => {
  const challenge = { _id: 'c', methods: ['email'], expiresAt: '2026-11-28T12:00:00Z' };
  return answer(403, { success: false, code: 'STEP_UP_REQUIRED', message: 'Confirm', challenge });
};
const found = () => answer(200, { success: true, message: '', data: { accountName: 'Ines Caldeira' } });
/** The bank does not name the receiver, for example after too many lookups. */
const notFound = () => refused(429, 'TOO_MANY', errorMessages.tooMany);

test.each([
  ['names the receiver', found, 'Confirm $250.00 to Ines Caldeira'],
  ['has the number if the bank gives no name', notFound, 'Confirm $250.00 to account 7305 1184 2298'],
])(
  'after a reload, the confirmation of a transfer %s, and no other dialog is open [BR-60, T-31]',
  async (_, lookup, title) => {
    const { store, key, keys, state } = await pressAndReload(asksToConfirm, lookup, broken, done);
    const proof = Promise.withResolvers<{ proof: string }>();
    const titles: string[] = [];
    const release = hostStepUps(asked => {
      titles.push(asked.confirms);
      return proof.promise;
    });
    store.dispatch(followTransfers(wren._id));
    expect(state()).toMatchObject({ loading: true, message: transferMessages.processingText });
    await vi.advanceTimersByTimeAsync(100);
    expect(titles).toEqual([title]);
    expect(state()).toMatchObject({ loading: true, message: '' });
    // If the bank does not answer the confirmed transfer, the dialog is needed again.
    proof.resolve({ proof: 'the proof' });
    await vi.advanceTimersByTimeAsync(100);
    expect(state()).toMatchObject({ loading: true, message: transferMessages.processingText });
    await vi.advanceTimersByTimeAsync(60_000);
    release();
    expect(keys).toEqual([key, null, key, key]);
    expect(state()).toMatchObject({ success: true, transaction });
  },
);

test('a customer who cancels the confirmation has the form again, and no transfer is called failed [BR-60]', async () => {
  const { store, state } = bank(asksToConfirm);
  const release = hostStepUps(async () => undefined);
  expect(await store.dispatch(sendMoney(sending, 'Ines Caldeira'))).toBe(false);
  release();
  expect(state()).toMatchObject({ loading: false, error: false, pressed: null });
  expect(kept()).toBeNull();
});

test('a second press while one is unanswered is not sent, and shows the first [T-32]', async () => {
  const { store, key, keys, state } = await pressAndReload(() => new Promise(() => {}));
  const other = { kind: 'internal', body: { ...sending.body, amount: 99 } } as const;
  expect(await store.dispatch(sendMoney(other))).toBe(false);
  await vi.advanceTimersByTimeAsync(100);
  expect(keys).toEqual([key]);
  expect(state()).toMatchObject({ loading: true, pressed: { key, sending } });
});

test('a reload an hour later does not send a press that never arrived', async () => {
  const { store, keys, state } = await pressAndReload(done);
  vi.setSystemTime(Date.now() + 3_600_001);
  store.dispatch(followTransfers(wren._id));
  await vi.advanceTimersByTimeAsync(100);
  expect(keys).toEqual([]);
  expect(state()).toMatchObject({ error: true, unconfirmed: true, message: transferMessages.unconfirmed });
  expect(kept()).toBeNull();
});

test('a logout deletes an unanswered press, and so does the login of another customer [T-33]', async () => {
  const { store } = await pressAndReload();
  store.dispatch(loggedOut());
  expect(kept()).toBeNull();

  const { store: next, keys, state } = await pressAndReload(done);
  next.dispatch(customerLoggedIn(anotherCustomer));
  next.dispatch(followTransfers(anotherCustomer._id));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(keys).toEqual([]);
  expect(state()).toMatchObject({ loading: false, pressed: null });
  expect(kept()).toBeNull();
});

test('after a session ends in one tab, its unanswered press stays stored, and other tabs do not delete it [T-33]', async () => {
  const { store, keys } = bank(broken);
  void store.dispatch(sendMoney(sending));
  await vi.advanceTimersByTimeAsync(500);
  const other = makeStore();
  store.dispatch(loggedOut('ended'));
  dispatchEvent(new StorageEvent('storage', { key: 'user', newValue: null, storageArea: localStorage }));
  expect(selectCustomer(other.getState())).toBeNull();
  expect(kept()).toContain(keys[0]);
});

/** Puts a press into storage, as anyone with access to this browser can. */
function plant(changed: object = {}) {
  const press = { key: 'k', customerId: wren._id, session: 'guessed', pressedAt: Date.now(), body: sending };
  localStorage.setItem(pressStoredAs, JSON.stringify({ ...press, ...changed }));
}

test.each([
  ['names no session', { session: undefined }],
  ['names another session', {}],
  ['is from the future', { pressedAt: Date.now() + 30 * 86_400_000 }],
  ['is from the future and names the session', { pressedAt: Date.now() + 60_000_000, session: 'customer' }],
  ['is older than an hour', { pressedAt: Date.now() - 3_600_001 }],
])('a press planted in storage is not sent at the login if it %s [T-37, T-38]', async (_, changed) => {
  vi.setSystemTime(Date.now());
  plant(changed);
  const { store, keys, state } = bank(done);
  store.dispatch(followTransfers(wren._id));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(keys).toEqual([]);
  expect(state()).toMatchObject({ loading: false, success: false, error: false });
});

test('a press from the future or more than an hour old is deleted without a question [T-38]', () => {
  for (const pressedAt of [Date.now() + 1000, Date.now() - 3_600_001]) {
    const { store, state } = bank();
    plant({ pressedAt });
    store.dispatch(followTransfers(wren._id));
    expect(state().question).toBeNull();
    expect(kept()).toBeNull();
  }
});

/** Sends money while the bank does not answer, lets the session end, and logs the same customer in again. */
async function pressAndLogInAgain(...answersAfter: (() => Response | Promise<Response>)[]) {
  const opened = await pressAndReload(...answersAfter);
  opened.store.dispatch(loggedOut('ended'));
  opened.store.dispatch(customerLoggedIn(wrenAgain));
  opened.store.dispatch(followTransfers(wren._id));
  await vi.advanceTimersByTimeAsync(60_000);
  return opened;
}

test('after the next login, the app asks about a press of an earlier session, and sends it with its key only when confirmed [T-37]', async () => {
  const { store, key, keys, tokens, state } = await pressAndLogInAgain(done);
  expect(keys).toEqual([]);
  expect(state()).toMatchObject({ loading: false, question: { key, sending } });
  store.dispatch(answerQuestion(true));
  await vi.advanceTimersByTimeAsync(100);
  expect(keys).toEqual([key]);
  expect(tokens).toEqual([`Bearer ${wrenAgain.token}`]);
  expect(state()).toMatchObject({ success: true, transaction, question: null });
  expect(kept()).toBeNull();
});

test('a discarded press of an earlier session is deleted and never sent [T-37]', async () => {
  const { store, keys, state } = await pressAndLogInAgain(done);
  store.dispatch(answerQuestion(false));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(keys).toEqual([]);
  expect(state()).toMatchObject({ loading: false, question: null });
  expect(kept()).toBeNull();
});

test('while a press of an earlier session waits for the customer’s answer, another is not sent [T-32, T-37]', async () => {
  const { store, key, keys, state } = await pressAndLogInAgain(done);
  expect(await store.dispatch(sendMoney(sending))).toBe(false);
  expect(keys).toEqual([]);
  expect(state()).toMatchObject({ loading: false, question: { key } });
});

test('a question that is answered in one tab disappears in another [T-37]', async () => {
  const { store, keys, state } = await pressAndLogInAgain(done);
  localStorage.removeItem(pressStoredAs);
  dispatchEvent(new StorageEvent('storage', { key: pressStoredAs }));
  expect(state().question).toBeNull();
  store.dispatch(answerQuestion(true));
  await vi.advanceTimersByTimeAsync(100);
  expect(keys).toEqual([]);
});

test('a second login of the same customer stops the retries, and the app asks about the press [T-37]', async () => {
  const { store, keys, state } = bank(broken, done);
  const sent = store.dispatch(sendMoney(sending));
  await vi.advanceTimersByTimeAsync(500);
  store.dispatch(customerLoggedIn(wrenAgain));
  await sent;
  store.dispatch(followTransfers(wren._id));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(keys).toHaveLength(1);
  expect(state()).toMatchObject({ loading: false, question: { key: keys[0] } });
});

test('a damaged press in storage is deleted and nothing is sent', async () => {
  const { store, keys } = bank(done);
  const body = { kind: 'internal', body: { receiverAccountNumber: 'x' } };
  plant({ session: 'customer', body });
  store.dispatch(followTransfers(wren._id));
  await vi.advanceTimersByTimeAsync(100);
  expect(keys).toEqual([]);
  expect(kept()).toBeNull();
});
