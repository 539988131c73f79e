/**
 * The state of the administrator's last step and of credits. The last step has the flags of the specification, chapter 4: every
 * change and every failed read of `adminApi` sets them, except a login with a passkey. About credits, the slice stores whether
 * one is being sent, the last outcome, and the credits with an unknown result, which survive a reload. When the session ends,
 * everything here is cleared except the credits with an unknown result. The session is in web/base, the open view in the URL.
 */
import { createSlice, type PayloadAction, type WithSlice } from '@reduxjs/toolkit';
import * as z from 'zod/mini';
import { adminApi, Credit } from '#contract/admin.ts';
import * as appMessages from '#contract/messages/app.ts';
import type { CallError } from '#web/base/callError.ts';
import { type CallStep, mutationSteps, querySteps } from '#web/base/callSteps.ts';
import { type KeptCredit, readKeptCredits } from '#web/base/keptCredits.ts';
import { adminLoggedOut } from '#web/base/session.ts';
import { rootReducer } from '#web/base/store.ts';
import type { CreditOutcome, PressedCredit } from './credit/creditCustomer.ts';
import { creditWords } from './credit/creditWords.ts';
import { detailWords } from './customer/detailWords.ts';

/**
 * Lives in the store, not in the view, so that opening another view loses neither a submitted credit nor its idempotency
 * key.
 */
export type CreditState = {
  /** A credit is being sent. */
  isSending: boolean;
  /**
   * Credits whose result is unknown, including the one being sent; oldest first. They can be of several administrators: show
   * each only to the one who made it.
   */
  unknown: PressedCredit[];
  /** How the last credit ended, until the administrator has read it. */
  outcome: CreditOutcome | null;
};
type LastStep = { isLoading: boolean; isSuccess: boolean; isError: boolean; message: string };
type AdminState = LastStep & { credit: CreditState };

const noStep: LastStep = { isLoading: false, isSuccess: false, isError: false, message: '' };
const noCredit: CreditState = { isSending: false, unknown: [], outcome: null };

// Without the passkey calls: the login card itself reports a refused passkey. A failure to suggest one is not reported at all.
const names = Object.keys(adminApi).filter(name => !name.startsWith('adminPasskey'));
const changes = mutationSteps(names);
// A list that is fetched in the background does not count as a step. Only its failure does.
const lists = querySteps(names);

/** Whether storage returned an undamaged credit. Its body is sent exactly as stored, because its key belongs to that body. */
const isPressed = (kept: KeptCredit): kept is PressedCredit => z.safeParse(Credit, kept.body).success;

function fail(state: AdminState, { meta, payload }: CallStep<string, CallError | undefined>): void {
  // A call without an answer was aborted because the session is over, and a 401 means that the bank refused the session.
  // `adminLoggedOut` has reported both already.
  const isOver = payload === undefined || (payload.status === 401 && meta.arg.endpointName !== 'adminLogin');
  if (!isOver) Object.assign(state, noStep, { isError: true, message: payload.message });
}

const isRefused = (outcome: CreditOutcome | null) =>
  outcome !== null && 'error' in outcome && !outcome.isUnknown;

/** Returns a reducer that makes the login say what was lost, if it says that the session has ended. */
const sayLost = (text: string) => (state: AdminState) => {
  if (state.message === appMessages.sessionEnded) state.message = text;
};
const sayNotMade = sayLost(creditWords.sessionEnded);

const slice = createSlice({
  name: 'admin',
  initialState: (): AdminState => ({
    ...noStep,
    credit: { ...noCredit, unknown: readKeptCredits().filter(isPressed) },
  }),
  reducers: {
    /** Clears the last step. */
    adminReset: state => void Object.assign(state, noStep),
    /** A credit was sent. It counts as unknown until its answer arrives. */
    creditPressed({ credit }, { payload }: PayloadAction<PressedCredit>) {
      credit.unknown = [...credit.unknown.filter(({ key }) => key !== payload.key), payload];
      Object.assign(credit, { isSending: true, outcome: null });
    },
    /** A credit was answered or failed. `isPresent`: the administrator who sent it is still logged in to read the outcome. */
    creditAnswered(
      state,
      { payload }: PayloadAction<{ key: string; outcome: CreditOutcome; isPresent: boolean }>,
    ) {
      const { credit } = state;
      const { key: answered, outcome, isPresent } = payload;
      if ('data' in outcome || isRefused(outcome))
        credit.unknown = credit.unknown.filter(({ key }) => key !== answered);
      if (isPresent) Object.assign(credit, { isSending: false, outcome });
      else if (isRefused(outcome)) sayNotMade(state);
    },
    /** A credit was not sent, because the session had ended. */
    creditNotSent: sayNotMade,
    /** The session ended before a note was saved. */
    noteNotSaved: sayLost(detailWords.noteLost),
    /** The administrator has read the outcome. */
    creditRead({ credit }) {
      credit.outcome = null;
    },
  },
  extraReducers: builder =>
    builder
      .addCase(adminLoggedOut, ({ credit: { unknown, outcome } }, { payload }) => {
        const hasEnded = payload === 'ended' ? appMessages.sessionEnded : '';
        return {
          ...noStep,
          message: hasEnded && isRefused(outcome) ? creditWords.sessionEnded : hasEnded,
          // Keep unknown credits, so that the same administrator cannot make one twice in the next session.
          credit: { ...noCredit, unknown },
        };
      })
      .addMatcher(changes.isPending, state => void Object.assign(state, noStep, { isLoading: true }))
      .addMatcher(changes.isFulfilled, (state, { payload: { message } }) => {
        Object.assign(state, noStep, { isSuccess: true, message });
      })
      .addMatcher(changes.isRejected, fail)
      .addMatcher(lists.isRejected, fail),
  selectors: { lastStep: state => state, credit: state => state.credit },
});

declare module '#web/base/store.ts' {
  interface LazySlices extends WithSlice<typeof slice> {}
}

export const adminSlice = slice.injectInto(rootReducer);
export const { adminReset, creditPressed, creditAnswered, creditNotSent, creditRead, noteNotSaved } =
  adminSlice.actions;
