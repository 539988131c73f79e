/**
 * Sends one press of 'Send Money' and retries until the bank has answered; the slice holds the result. It continues while
 * the customer visits other screens and stops when the session ends.
 *
 * Until the result is known, browser storage keeps the press. After a reload or in another tab of the same session,
 * `followTransfers` asks again with the same key. In another session the customer decides first: the press may be from someone
 * else at this browser. A lock lets one tab at a time send; the others wait for it and show the same state. A second press
 * while one is unanswered is not sent.
 */
import type { UnknownAction } from '@reduxjs/toolkit';
import { fill } from '#contract/messages/fill.ts';
import * as stepUpMessages from '#contract/messages/stepUp.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { formatDollars } from '#contract/money.ts';
import { api } from '#web/base/api.ts';
import { type CallError, errorMessage } from '#web/base/callError.ts';
import {
  dropKeptPress,
  type KeptPress,
  keepPress,
  pressStoredAs,
  readKeptPress,
  withTabLock,
} from '#web/base/keptPress.ts';
import { isTooOld, sendUntilAnswered } from '#web/base/keyedPress.ts';
import { selectCustomer, selectSessionId } from '#web/base/session.ts';
import type { AppDispatch, RootState } from '#web/base/store.ts';
import { formatNumber, numberOf, readSending, type Sending } from './sending.ts';
import { afterSending, transferClient } from './transferCalls.ts';
import {
  type Pressed,
  selectTransfer,
  transferDone,
  transferLate,
  transferQuestioned,
  transferRefused,
  transferReset,
  transferStarted,
} from './transferSlice.ts';
import { words } from './words.ts';

type Press = Pressed & Omit<KeptPress, 'body'>;
type Thunk<Result> = (dispatch: AppDispatch, getState: () => RootState) => Result;

/** Actions that another tab has dispatched for a customer's press. */
type Message = { customerId: string; pressed: Pressed | null; actions: UnknownAction[] };

let channel: BroadcastChannel | undefined;

/** Dispatches here and in the customer's other tabs. */
function share(customerId: string, pressed: Pressed | null, ...actions: UnknownAction[]): Thunk<void> {
  return dispatch => {
    for (const action of actions) dispatch(action);
    channel?.postMessage({ customerId, pressed, actions } satisfies Message);
  };
}

/**
 * Sends money at most once, even if the connection fails. Resolves when the transfer slice has the result or the session has
 * ended: true if the bank said that this press sent the money. `holder`: the receiver's name, for the title of a step-up.
 */
export function sendMoney(sending: Sending, holder?: string): Thunk<Promise<boolean>> {
  return async (dispatch, getState) => {
    const customerId = selectCustomer(getState())?._id;
    if (!customerId || selectTransfer(getState()).loading) return false;
    const session = selectSessionId(getState()) ?? '';
    const press = { key: crypto.randomUUID(), sending, customerId, session, pressedAt: Date.now() };
    dispatch(transferStarted({ key: press.key, sending }));
    const sent = await withTabLock(
      async () => {
        if (dispatch(readKept(customerId))) return undefined;
        keep(press);
        await dispatch(settle(press, false, holder));
        const { success, pressed } = selectTransfer(getState());
        return success && pressed?.key === press.key;
      },
      { ifFree: true },
    );
    if (sent === undefined) {
      // An earlier press is unanswered, so this one was not sent.
      dispatch(transferReset());
      dispatch(resume(customerId));
    }
    return sent ?? false;
  };
}

/**
 * Follows the customer's presses in every tab until the returned function is called. Shows the state of an unanswered press,
 * and continues it if no other tab does.
 */
export function followTransfers(customerId: string): Thunk<() => void> {
  return (dispatch, getState) => {
    const opened = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(pressStoredAs);
    channel = opened;
    const receive = ({ data }: MessageEvent<Message>) => {
      const { loading, pressed } = selectTransfer(getState());
      const isOther = loading && pressed?.key !== data.pressed?.key;
      if (isOther || data.customerId !== selectCustomer(getState())?._id) return;
      for (const action of data.actions) dispatch(action);
      if (data.actions.some(transferDone.match)) dispatch(api.util.invalidateTags([...afterSending]));
    };
    opened?.addEventListener('message', receive);
    const follow = ({ key }: StorageEvent) => {
      if (key === pressStoredAs) dispatch(resume(customerId));
    };
    addEventListener('storage', follow);
    dispatch(resume(customerId));
    return () => {
      opened?.close();
      if (channel === opened) channel = undefined;
      removeEventListener('storage', follow);
    };
  };
}

/** Clears the result here and in the customer's other tabs. */
export function closeTransfer(): Thunk<void> {
  return (dispatch, getState) => {
    const customerId = selectCustomer(getState())?._id ?? '';
    dispatch(share(customerId, selectTransfer(getState()).pressed, transferReset()));
  };
}

/** The customer's answer to the question about a press of an earlier session: send it with its key, or delete it. */
export function answerQuestion(send: boolean): Thunk<void> {
  return (dispatch, getState) => {
    const customerId = selectCustomer(getState())?._id ?? '';
    const session = selectSessionId(getState());
    const { question } = selectTransfer(getState());
    const kept = dispatch(readKept(customerId));
    // Another tab may have answered already.
    if (session !== undefined && kept && kept.key === question?.key && kept.session !== session) {
      if (send) keep({ ...kept, session });
      else dropKeptPress();
    }
    dispatch(transferReset());
    dispatch(resume(customerId));
  };
}

/**
 * Shows the stored press, if there is one. Retries a press of this session once no other tab is sending it. Asks the customer
 * about a press of another session.
 */
function resume(customerId: string): Thunk<void> {
  return (dispatch, getState) => {
    const kept = dispatch(readKept(customerId));
    const { loading, pressed, question } = selectTransfer(getState());
    if (!kept) {
      if (question) dispatch(transferReset());
      return;
    }
    const { key, sending, pressedAt, session } = kept;
    if (session !== selectSessionId(getState())) {
      if (!loading || pressed?.key === key) dispatch(transferQuestioned({ key, sending, pressedAt }));
      return;
    }
    if (loading && pressed?.key === key) return;
    dispatch(transferStarted({ key, sending }));
    void withTabLock(async () => {
      if (selectSessionId(getState()) !== session) return;
      const press = dispatch(readKept(customerId));
      if (press?.session === session) return dispatch(settle(press, true));
      // Another tab has settled the press. Its message brings the result, and can arrive before or after this point.
      const now = selectTransfer(getState());
      if (now.loading && now.pressed?.key === key) dispatch(transferReset());
    });
  };
}

function keep({ sending, ...press }: Press): void {
  keepPress({ ...press, body: sending });
}

/** Returns the stored press. Deletes one that is damaged, dated in the future, or both too old and of another session. */
function readKept(customerId: string): Thunk<Press | undefined> {
  return (_, getState) => {
    const kept = readKeptPress(customerId);
    if (!kept) return undefined;
    const { body, ...press } = kept;
    const sending = readSending(body);
    const isOwn = press.session === selectSessionId(getState());
    if (sending && press.pressedAt <= Date.now() && (isOwn || !isTooOld(press.pressedAt)))
      return { ...press, sending };
    dropKeptPress();
    return undefined;
  };
}

/**
 * Sends a press until it is answered. Only one tab at a time does this. `isRepeat`: the press may have been sent before.
 * `holder`: the receiver's name, if it is known.
 */
function settle(
  { customerId, pressedAt, key, sending }: Press,
  isRepeat: boolean,
  holder?: string,
): Thunk<Promise<void>> {
  return async (dispatch, getState) => {
    const pressed = { key, sending };
    const { sendInternal, sendExternal } = transferClient.endpoints;
    let start = transferStarted(pressed);
    const confirms = async () => {
      const name = holder ?? (await dispatch(readHolder(sending)));
      start = transferStarted({ ...pressed, isAsked: true });
      // A bank that asks for a confirmation has answered, so the dialog of a late answer closes.
      if (selectTransfer(getState()).pressed?.key === key) dispatch(share(customerId, pressed, start));
      return fill(words.confirms, { amount: formatDollars(sending.body.amount), name });
    };
    if (isRepeat) dispatch(share(customerId, pressed, start, transferLate()));
    const outcome = await sendUntilAnswered(
      keyed =>
        sending.kind === 'internal'
          ? dispatch(sendInternal.initiate({ ...keyed, confirms, body: sending.body }))
          : dispatch(sendExternal.initiate({ ...keyed, confirms, body: sending.body })),
      getState,
      () => dispatch(share(customerId, pressed, transferLate())),
      { key, pressedAt, isRepeat },
    );
    if (!outcome) return;
    dropKeptPress();
    // The customer canceled the confirmation on purpose: the form is there again, and no dialog calls the transfer failed.
    if ('error' in outcome && outcome.error.message === stepUpMessages.canceled && !outcome.isUnknown) {
      dispatch(share(customerId, pressed, transferReset()));
      return;
    }
    const result =
      'error' in outcome
        ? transferRefused(refusalOf(outcome.error, outcome.isUnknown))
        : transferDone({ transaction: outcome.data, message: outcome.message });
    // Dispatch the start again before the result, for a tab that has just reset its state.
    dispatch(share(customerId, pressed, start, result));
  };
}

/** The name of the receiver, which is not known after a reload; their account number if the bank does not give it. */
function readHolder(sending: Sending): Thunk<Promise<string>> {
  return async dispatch => {
    if (sending.kind === 'external') return sending.body.accountName;
    const params = { accountNumber: numberOf(sending) };
    const { data } = await dispatch(
      transferClient.endpoints.verifyAccount.initiate({ params }, { subscribe: false }),
    );
    return data?.accountName ?? fill(words.accountNamed, { number: formatNumber(sending) });
  };
}

function refusalOf(error: CallError, unconfirmed: boolean): { message: string; unconfirmed: boolean } {
  if (error.code === 'FAULT') return { message: transferMessages.fallback, unconfirmed };
  const message = unconfirmed ? transferMessages.unconfirmed : errorMessage(error, transferMessages.fallback);
  return { message, unconfirmed };
}
