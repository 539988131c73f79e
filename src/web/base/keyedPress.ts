/**
 * One press of a button that moves money: every request of it carries one idempotency key, so that it takes effect once
 * however often it arrives. `sendKeyed` asks once; `sendUntilAnswered` asks again until the bank has answered.
 */
import { transfer } from '#contract/constants.ts';
import { type CallError, isUncertain } from './callError.ts';
import { type SessionState, selectPersonId } from './session.ts';
import { stayOnPage } from './stayOnPage.ts';
import { addMiddleware } from './store.ts';

/** Goes into the call. `onlyFor` is the `_id` of the person who pressed: the request is never sent with another person's session. */
type Keyed = { idempotencyKey: string; onlyFor: string; timeoutMs?: number };
type Done<Data> = { data: Data; message: string };
/** Dispatches a mutation's `initiate` with the key in its call. */
type Send<Data> = (
  keyed: Keyed,
) => PromiseLike<{ data?: Done<Data> | undefined; error?: unknown }> & { reset: () => void };

/** How a press ended: done, refused, or refused in a way that leaves open whether it took effect (`isUnknown`). */
export type Outcome<Data> = Done<Data> | { error: CallError; isUnknown: boolean };

/** Sends a press once. `isRepeat`: an earlier request with this key got no answer, and may have taken effect. */
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

const longestPatienceMs = 60_000;
const longestPauseSeconds = 15;
/** A fault does not say whether money moved, so it is asked about again; one that stays is believed. */
const faultsBelieved = 3;

/** Presses that are not answered yet, each as the check whether its person is still logged in. */
const underWay = new Set<() => void>();

addMiddleware(() => next => action => {
  const result = next(action);
  for (const check of underWay) check();
  return result;
});

/**
 * Sends a customer's press until the bank has truly answered: over broken connections, timeouts and a bank too busy to say.
 * The first answer is waited for 10 s, each one after that longer, so that a slow connection gets through. Calls `onLate`
 * once, when the first does not come. Resolves with nothing once the customer's session has ended, and then sends no more.
 */
export async function sendUntilAnswered<Data>(
  send: Send<Data>,
  getState: () => SessionState,
  onLate: () => void,
): Promise<Outcome<Data> | undefined> {
  const customerId = () => selectPersonId(getState(), 'customer');
  const onlyFor = customerId() ?? '';
  const idempotencyKey = crypto.randomUUID();
  const gone = new AbortController();
  const check = () => {
    if (customerId() !== onlyFor) gone.abort();
  };
  underWay.add(check);
  const leave = stayOnPage();
  try {
    for (let round = 0; ; round++) {
      const timeoutMs = Math.min(transfer.answerTimeoutMs * 2 ** round, longestPatienceMs);
      const outcome = await sendKeyed(send, { idempotencyKey, onlyFor, timeoutMs }, round > 0);
      if (gone.signal.aborted) return undefined;
      if (!('error' in outcome) || isAnswer(outcome.error, round)) return outcome;
      if (round === 0) onLate();
      const { waitTime = Math.min(2 ** round, longestPauseSeconds) } = outcome.error;
      await pause(waitTime * 1000, gone.signal);
      if (gone.signal.aborted) return undefined;
    }
  } finally {
    underWay.delete(check);
    leave();
  }
}

/** Whether an error is the bank's word on the press. 'Too often' refuses one request of several and will pass. */
function isAnswer(error: CallError, round: number): boolean {
  if (error.code === 'FAULT') return round + 1 >= faultsBelieved;
  return !isUncertain(error) && !(round > 0 && error.code === 'TOO_MANY');
}

/** Waits, but never longer than a minute, nor than until the browser says it is online again or `signal` aborts. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, Math.min(milliseconds, longestPatienceMs));
    addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}
