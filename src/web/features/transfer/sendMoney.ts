/**
 * One press of 'Send Money': one idempotency key, asked with until the bank has truly answered, and the slice told how it
 * went. Goes on when the person looks at another screen meanwhile, and ends with that person's session: no round is ever
 * sent, and no answer shown, for anybody else.
 */
import type * as z from 'zod/mini';
import type { Transaction } from '#contract/entities.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import type { ExternalTransfer, InternalTransfer } from '#contract/transfer.ts';
import { type CallError, errorMessage, isUncertain } from '#web/base/callError.ts';
import { customerLoggedIn, loggedOut, selectCustomer } from '#web/base/session.ts';
import { stayOnPage } from '#web/base/stayOnPage.ts';
import { type AppDispatch, addMiddleware, type RootState } from '#web/base/store.ts';
import { askUntilAnswered, type Silence } from './askUntilAnswered.ts';
import { transferClient } from './transferCalls.ts';
import { transferDone, transferLate, transferRefused, transferStarted } from './transferSlice.ts';

/** What is sent: to another customer, or to an account at another bank. */
export type Sending =
  | { kind: 'internal'; body: z.input<typeof InternalTransfer> }
  | { kind: 'external'; body: z.input<typeof ExternalTransfer> };

type Refused = { message: string; unconfirmed: boolean };
type Answer = { transaction: Transaction; message: string } | { refusal: Refused };

/** Presses that are not answered yet; each looks whether its person is still here. */
const underWay = new Set<() => void>();

addMiddleware(() => next => action => {
  const result = next(action);
  if (loggedOut.match(action) || customerLoggedIn.match(action)) for (const look of underWay) look();
  return result;
});

/** Sends money once, whatever the line does. Resolves when the true result stands in the transfer slice, or nobody awaits it. */
export function sendMoney(sending: Sending) {
  return async (dispatch: AppDispatch, getState: () => RootState): Promise<void> => {
    const sender = selectCustomer(getState())?._id;
    if (sender === undefined) return;
    const gone = new AbortController();
    const look = () => {
      if (selectCustomer(getState())?._id !== sender) gone.abort();
    };
    underWay.add(look);
    const leave = stayOnPage();
    try {
      dispatch(transferStarted());
      const ask = askOnce(dispatch, sending, sender);
      const answer = await askUntilAnswered(ask, () => dispatch(transferLate()), gone.signal);
      if (!answer) return;
      dispatch('transaction' in answer ? transferDone(answer) : transferRefused(answer.refusal));
    } finally {
      underWay.delete(look);
      leave();
    }
  };
}

/** The rounds of one press: always the same key, and only while `sender` is logged in. */
function askOnce(dispatch: AppDispatch, sending: Sending, sender: string) {
  const idempotencyKey = crypto.randomUUID();
  const { sendInternal, sendExternal } = transferClient.endpoints;
  return async (timeoutMs: number, round: number): Promise<Answer | Silence> => {
    const call = { idempotencyKey, timeoutMs, onlyFor: sender };
    const asked =
      sending.kind === 'internal'
        ? dispatch(sendInternal.initiate({ ...call, body: sending.body }))
        : dispatch(sendExternal.initiate({ ...call, body: sending.body }));
    const { data, error } = await asked;
    asked.reset();
    if (data) return { transaction: data.data, message: data.message };
    return judge(error as CallError, round);
  };
}

/** A fault does not say whether money moved, so it is asked about again; one that stays is told. */
const faultsBelieved = 3;

function judge(error: CallError, round: number): Answer | Silence {
  const { code, waitTime } = error;
  // Earlier rounds got no true answer, and money may have moved then.
  const unheard = round > 0;
  if (code === 'FAULT' && round + 1 >= faultsBelieved)
    return { refusal: { message: transferMessages.fallback, unconfirmed: true } };
  // 'Too often' refuses one round and will pass.
  if (isUncertain(error) || (unheard && code === 'TOO_MANY')) return { silence: true, waitSeconds: waitTime };
  const unconfirmed = isUncertain(error, unheard);
  const message = unconfirmed ? transferMessages.unconfirmed : errorMessage(error, transferMessages.fallback);
  return { refusal: { message, unconfirmed } };
}
