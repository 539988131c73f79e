/**
 * One press of a button that moves money: all of its requests carry the same idempotency key, so that it takes effect once
 * however often it arrives. `sendKeyed` sends it once; `sendUntilAnswered` retries until the bank has answered.
 */
import { session, transfer } from '#contract/constants.ts';
import { type CallError, isUncertain, unanswered } from './callError.ts';
import { type SessionState, selectPersonId, selectSessionId } from './session.ts';
import { stayOnPage } from './stayOnPage.ts';
import { addMiddleware } from './store.ts';

/** Part of the call. `onlyFor` is the `_id` of the user who pressed: the request is never sent with another user's session. */
type Keyed = { idempotencyKey: string; onlyFor: string; timeoutMs?: number };
type Done<Data> = { data: Data; message: string };
/** Dispatches a mutation's `initiate` with the key in its argument. */
type Send<Data> = (
  keyed: Keyed,
) => PromiseLike<{ data?: Done<Data> | undefined; error?: unknown }> & { reset: () => void };

/** The result of a press: done, refused, or failed without knowing whether it took effect (`isUnknown`). */
export type Outcome<Data> = Done<Data> | { error: CallError; isUnknown: boolean };

/** Sends a press once. `isRepeat`: an earlier request with this key got no answer and may have taken effect. */
export async function sendKeyed<Data>(
  send: Send<Data>,
  keyed: Keyed,
  isRepeat: boolean,
): Promise<Outcome<Data>> {
  const leave = stayOnPage();
  try {
    const sending = send(keyed);
    const { data, error } = await sending;
    sending.reset();
    return data ?? { error: error as CallError, isUnknown: isUncertain(error as CallError, isRepeat) };
  } finally {
    leave();
  }
}

const maxTimeoutMs = 60_000;
const maxDelaySeconds = 15;
/** A server error does not say whether money moved, so the press is retried. After this many attempts the result is unknown. */
const maxFaults = 3;

/** After this time an unanswered request is no longer sent: the customer may have paid in another way. */
const maxAgeMs = session.lifeSeconds * 1000;

/** Whether a press is too old to be sent. */
export const isTooOld = (pressedAt: number) => Date.now() - pressedAt > maxAgeMs;

/** For each unanswered press, a function that stops its retries if its session is no longer the current one. */
const underWay = new Set<() => void>();

addMiddleware(() => next => action => {
  const result = next(action);
  for (const check of underWay) check();
  return result;
});

/** A press: its key, its time in milliseconds, and whether an earlier page may already have sent it (`isRepeat`). */
export type Press = { key: string; pressedAt: number; isRepeat: boolean };

/**
 * Sends a customer's press until the bank has answered, despite broken connections, timeouts and overload. The first attempt
 * times out after 10 s. Later attempts wait longer, so that a slow connection gets through. Calls `onLate` after each attempt
 * without an answer. After an hour, or if attempt `maxFaults` or a later one gets a server error, the result is unknown.
 * Resolves to undefined once the customer's session has ended, and then sends no more.
 */
export async function sendUntilAnswered<Data>(
  send: Send<Data>,
  getState: () => SessionState,
  onLate: () => void,
  { key: idempotencyKey, pressedAt, isRepeat }: Press,
): Promise<Outcome<Data> | undefined> {
  const customerId = () => selectPersonId(getState(), 'customer');
  const onlyFor = customerId() ?? '';
  const sessionId = selectSessionId(getState());
  const gone = new AbortController();
  const check = () => {
    if (customerId() !== onlyFor || selectSessionId(getState()) !== sessionId) gone.abort();
  };
  underWay.add(check);
  const leave = stayOnPage();
  try {
    for (let round = 0; ; round++) {
      if (isTooOld(pressedAt)) return { error: unanswered('TIMEOUT'), isUnknown: true };
      const timeoutMs = Math.min(transfer.answerTimeoutMs * 2 ** round, maxTimeoutMs);
      const mayBeRepeat = isRepeat || round > 0;
      const outcome = await sendKeyed(send, { idempotencyKey, onlyFor, timeoutMs }, mayBeRepeat);
      if (gone.signal.aborted) return undefined;
      if (!('error' in outcome) || isAnswer(outcome.error, round, mayBeRepeat)) return outcome;
      onLate();
      const { waitTime = Math.min(2 ** round, maxDelaySeconds) } = outcome.error;
      await pause(waitTime * 1000, gone.signal);
      if (gone.signal.aborted) return undefined;
    }
  } finally {
    underWay.delete(check);
    leave();
  }
}

/** Whether to stop retrying. A rate limit that hits a repeat will pass, and says nothing about the earlier attempts. */
function isAnswer(error: CallError, round: number, isRepeat: boolean): boolean {
  if (error.code === 'FAULT') return round + 1 >= maxFaults;
  return !isUncertain(error) && !(isRepeat && error.code === 'TOO_MANY');
}

/** Waits, at most a minute, and only until the browser is online again or `signal` aborts. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, Math.min(milliseconds, maxTimeoutMs));
    addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}
