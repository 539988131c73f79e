/**
 * How the last load of the list went: loading, success, error and message (chapter 4). The filters and the page are not here:
 * the address is their one truth, so that a filtered list can be bookmarked, reloaded and left with the browser's Back button.
 */
import { createSlice, type WithSlice } from '@reduxjs/toolkit';
import * as errorMessages from '#contract/messages/errors.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import { errorMessage } from '#web/base/callError.ts';
import { loggedOut } from '#web/base/session.ts';
import { rootReducer } from '#web/base/store.ts';
import { transactionsClient } from './transactionsCalls.ts';

export type TransactionsState = { loading: boolean; success: boolean; error: boolean; message: string };

const blank: TransactionsState = { loading: false, success: false, error: false, message: '' };
const { listTransactions } = transactionsClient.endpoints;

const slice = createSlice({
  name: 'transactions',
  initialState: blank,
  reducers: { transactionsReset: () => blank },
  extraReducers: builder =>
    builder
      .addCase(loggedOut, () => blank)
      .addMatcher(listTransactions.matchPending, () => ({ ...blank, loading: true }))
      .addMatcher(listTransactions.matchFulfilled, () => ({
        ...blank,
        success: true,
        message: transactionsMessages.list,
      }))
      .addMatcher(listTransactions.matchRejected, (state, { payload, meta }) =>
        // A question that the cache answered was not refused.
        meta.condition
          ? state
          : { ...blank, error: true, message: errorMessage(payload, errorMessages.fault) },
      ),
  selectors: { transactionsState: state => state },
});

declare module '#web/base/store.ts' {
  interface LazySlices extends WithSlice<typeof slice> {}
}

const transactionsSlice = slice.injectInto(rootReducer);
export const { transactionsReset } = slice.actions;
export const { transactionsState: selectTransactions } = transactionsSlice.selectors;
