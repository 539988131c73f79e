/**
 * Sends one press of 'Send Money' and retries until the bank has answered; the slice holds the result. It continues while
 * the customer visits other screens and stops when the session ends.
 */
import type * as z from 'zod/mini';
import * as transferMessages from '#contract/messages/transfer.ts';
import type { ExternalTransfer, InternalTransfer } from '#contract/transfer.ts';
import { type CallError, errorMessage } from '#web/base/callError.ts';
import { sendUntilAnswered } from '#web/base/keyedPress.ts';
import { selectCustomer } from '#web/base/session.ts';
import type { AppDispatch, RootState } from '#web/base/store.ts';
import { transferClient } from './transferCalls.ts';
import { transferDone, transferLate, transferRefused, transferStarted } from './transferSlice.ts';

/** The transfer: to another customer, or to an account at another bank. */
export type Sending =
  | { kind: 'internal'; body: z.input<typeof InternalTransfer> }
  | { kind: 'external'; body: z.input<typeof ExternalTransfer> };

/**
 * Sends money exactly once, even if the connection fails. Resolves when the transfer slice has the definite result, or when
 * the session has ended.
 */
export function sendMoney({ kind, body }: Sending) {
  return async (dispatch: AppDispatch, getState: () => RootState): Promise<void> => {
    if (!selectCustomer(getState())) return;
    const { sendInternal, sendExternal } = transferClient.endpoints;
    dispatch(transferStarted());
    const outcome = await sendUntilAnswered(
      keyed =>
        kind === 'internal'
          ? dispatch(sendInternal.initiate({ ...keyed, body }))
          : dispatch(sendExternal.initiate({ ...keyed, body })),
      getState,
      () => dispatch(transferLate()),
    );
    if (!outcome) return;
    if ('error' in outcome) dispatch(transferRefused(refusalOf(outcome.error, outcome.isUnknown)));
    else dispatch(transferDone({ transaction: outcome.data, message: outcome.message }));
  };
}

function refusalOf(error: CallError, unconfirmed: boolean): { message: string; unconfirmed: boolean } {
  if (error.code === 'FAULT') return { message: transferMessages.fallback, unconfirmed };
  const message = unconfirmed ? transferMessages.unconfirmed : errorMessage(error, transferMessages.fallback);
  return { message, unconfirmed };
}
