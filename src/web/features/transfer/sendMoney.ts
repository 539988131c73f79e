/**
 * Sends one press of 'Send Money' and retries until the bank has answered; the slice holds the result. It continues while
 * the customer visits other screens and stops when the session ends.
 *
 * Until the result is known, browser storage keeps the press. After a reload or in another tab, `followTransfers` asks again
 * with the same key. A lock lets one tab at a time send; the others wait for it and show the same state. A second press
 * while one is unanswered is not sent.
 */
import type { UnknownAction } from '@reduxjs/toolkit';
import * as transferMessages from '#contract/messages/transfer.ts';
import { api } from '#web/base/api.ts';
import { type CallError, errorMessage } from '#web/base/callError.ts';
import { dropKeptPress, inOneTab, keepPress, pressStoredAs, readKeptPress } from '#web/base/keptPress.ts';
import { sendUntilAnswered } from '#web/base/keyedPress.ts';
import { selectCustomer } from '#web/base/session.ts';
import type { AppDispatch, RootState } from '#web/base/store.ts';
import { readSending, type Sending } from './sending.ts';
import { afterSending, transferClient } from './transferCalls.ts';
import {
  type Pressed,
  selectTransfer,
  transferDone,
  transferLate,
  transferRefused,
  transferReset,
  transferStarted,
} from './transferSlice.ts';

type Press = Pressed & { customerId: string; pressedAt: number };
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
 * Sends money exactly once, even if the connection fails. Resolves when the transfer slice has the definite result or the
 * session has ended: to true if this press has sent the money.
 */
export function sendMoney(sending: Sending): Thunk<Promise<boolean>> {
  return async (dispatch, getState) => {
    const customerId = selectCustomer(getState())?._id;
    if (!customerId || selectTransfer(getState()).loading) return false;
    const press = { key: crypto.randomUUID(), sending, customerId, pressedAt: Date.now() };
    dispatch(transferStarted({ key: press.key, sending }));
    const sent = await inOneTab(
      async () => {
        if (readKept(customerId)) return undefined;
        keepPress({ key: press.key, customerId, pressedAt: press.pressedAt, body: sending });
        await dispatch(settle(press, false));
        const { success, pressed } = selectTransfer(getState());
        return success && pressed?.key === press.key;
      },
      { ifFree: true },
    );
    if (sent === undefined) {
      // Another tab's press is unanswered, so this one was not sent.
      dispatch(transferReset());
      dispatch(resume(customerId));
    }
    return sent ?? false;
  };
}

/**
 * Follows the customer's presses of every tab until the returned function is called: continues an unanswered one if no other
 * tab does, and shows its state.
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

/** Shows the kept press, if there is one, and continues it as soon as no other tab does. */
function resume(customerId: string): Thunk<void> {
  return (dispatch, getState) => {
    const kept = readKept(customerId);
    const { loading, pressed } = selectTransfer(getState());
    if (!kept || (loading && pressed?.key === kept.key)) return;
    dispatch(transferStarted({ key: kept.key, sending: kept.sending }));
    void inOneTab(async () => {
      if (selectCustomer(getState())?._id !== customerId) return;
      const press = readKept(customerId);
      if (press) return dispatch(settle(press, true));
      // Another tab has settled it. Its message brings the result, before or after this.
      const now = selectTransfer(getState());
      if (now.loading && now.pressed?.key === kept.key) dispatch(transferReset());
    });
  };
}

/** The customer's kept press. A damaged one is deleted. */
function readKept(customerId: string): Press | undefined {
  const kept = readKeptPress(customerId);
  if (!kept) return undefined;
  const sending = readSending(kept.body);
  if (!sending) dropKeptPress();
  return sending && { ...kept, sending };
}

/** Sends a press until it is answered. Only one tab at a time does this. `isRepeat`: another page has sent it already. */
function settle({ customerId, pressedAt, ...pressed }: Press, isRepeat: boolean): Thunk<Promise<void>> {
  return async (dispatch, getState) => {
    const { key, sending } = pressed;
    const { sendInternal, sendExternal } = transferClient.endpoints;
    const start = transferStarted({ key, sending });
    if (isRepeat) dispatch(share(customerId, pressed, start, transferLate()));
    const outcome = await sendUntilAnswered(
      keyed =>
        sending.kind === 'internal'
          ? dispatch(sendInternal.initiate({ ...keyed, body: sending.body }))
          : dispatch(sendExternal.initiate({ ...keyed, body: sending.body })),
      getState,
      () => dispatch(share(customerId, pressed, transferLate())),
      { key, pressedAt, isRepeat },
    );
    if (!outcome) return;
    dropKeptPress();
    const result =
      'error' in outcome
        ? transferRefused(refusalOf(outcome.error, outcome.isUnknown))
        : transferDone({ transaction: outcome.data, message: outcome.message });
    // Started again first, for a tab that has just reset its state.
    dispatch(share(customerId, pressed, start, result));
  };
}

function refusalOf(error: CallError, unconfirmed: boolean): { message: string; unconfirmed: boolean } {
  if (error.code === 'FAULT') return { message: transferMessages.fallback, unconfirmed };
  const message = unconfirmed ? transferMessages.unconfirmed : errorMessage(error, transferMessages.fallback);
  return { message, unconfirmed };
}
