/**
 * The result of the last load of the list: loading, success, error and message (specification, chapter 4). Filters and page are
 * only in the URL, so that a filtered list can be bookmarked, reloaded and left with the browser's Back button.
 */
import { createSlice, type WithSlice } from '@reduxjs/toolkit';
import * as errorMessages from '#contract/messages/errors.ts';
import type { transactionsApi } from '#contract/transactions.ts';
import { errorMessage } from '#web/base/callError.ts';
import { querySteps } from '#web/base/callSteps.ts';
import { loggedOut } from '#web/base/session.ts';
import { rootReducer } from '#web/base/store.ts';

export type TransactionsState = { loading: boolean; success: boolean; error: boolean; message: string };

const blank: TransactionsState = { loading: false, success: false, error: false, message: '' };
const list = querySteps(['listTransactions' satisfies keyof typeof transactionsApi]);

const slice = createSlice({
  name: 'transactions',
  initialState: blank,
  reducers: { transactionsReset: () => blank },
  extraReducers: builder =>
    builder
      .addCase(loggedOut, () => blank)
      .addMatcher(list.isPending, () => ({ ...blank, loading: true }))
      .addMatcher(list.isFulfilled, () => ({ ...blank, success: true }))
      .addMatcher(list.isRejected, (_, { payload }) => ({
        ...blank,
        error: true,
        message: errorMessage(payload, errorMessages.fault),
      })),
  selectors: { transactionsState: state => state },
});

declare module '#web/base/store.ts' {
  interface LazySlices extends WithSlice<typeof slice> {}
}

const transactionsSlice = slice.injectInto(rootReducer);
export const { transactionsReset } = slice.actions;
export const { transactionsState: selectTransactions } = transactionsSlice.selectors;
