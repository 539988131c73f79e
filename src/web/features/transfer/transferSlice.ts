/**
 * The result of the customer's last transfer: loading, success, error, message and the transaction itself (specification,
 * chapter 4). It is in the store, not in the form, so that a transfer in progress survives a change of screens. While loading,
 * a message means that the answer is late and the app keeps retrying. All tabs of a browser show the same state
 * (`sendMoney.ts`).
 */
import { createSlice, type PayloadAction, type WithSlice } from '@reduxjs/toolkit';
import type { Transaction } from '#contract/entities.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { loggedOut } from '#web/base/session.ts';
import { rootReducer } from '#web/base/store.ts';
import type { Sending } from './sending.ts';

/** A press of 'Send Money': its idempotency key and what it sends. `isAsked`: the bank asked for a confirmation. */
export type Pressed = { key: string; sending: Sending; isAsked?: true };

/** A press from an earlier session whose result is unknown: the customer is asked whether to send it. */
export type Question = Pressed & { pressedAt: number };

export type TransferState = {
  loading: boolean;
  success: boolean;
  error: boolean;
  message: string;
  transaction: Transaction | null;
  /** Set only together with `error`: the bank could not say whether money moved. */
  unconfirmed: boolean;
  /** The press that is loading or that has this result. */
  pressed: Pressed | null;
  question: Question | null;
};

const blank: TransferState = {
  loading: false,
  success: false,
  error: false,
  message: '',
  transaction: null,
  unconfirmed: false,
  pressed: null,
  question: null,
};

const slice = createSlice({
  name: 'transfer',
  initialState: blank,
  reducers: {
    transferReset: () => blank,
    transferStarted: (_, { payload }: PayloadAction<Pressed>) => ({
      ...blank,
      loading: true,
      pressed: payload,
    }),
    transferQuestioned: (_, { payload }: PayloadAction<Question>) => ({ ...blank, question: payload }),
    // The next three reducers ignore what arrives after a logout (no transfer is loading): the next customer must not see it.
    transferLate: state => (state.loading ? { ...state, message: transferMessages.processingText } : state),
    transferDone: (state, { payload }: PayloadAction<{ transaction: Transaction; message: string }>) =>
      state.loading ? { ...blank, pressed: state.pressed, success: true, ...payload } : state,
    transferRefused: (state, { payload }: PayloadAction<{ message: string; unconfirmed: boolean }>) =>
      state.loading ? { ...blank, pressed: state.pressed, error: true, ...payload } : state,
  },
  extraReducers: builder => builder.addCase(loggedOut, () => blank),
  selectors: { transferState: state => state },
});

declare module '#web/base/store.ts' {
  interface LazySlices extends WithSlice<typeof slice> {}
}

const transferSlice = slice.injectInto(rootReducer);
export const {
  transferReset,
  transferStarted,
  transferQuestioned,
  transferLate,
  transferDone,
  transferRefused,
} = slice.actions;
export const { transferState: selectTransfer } = transferSlice.selectors;
