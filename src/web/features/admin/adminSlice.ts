/**
 * How the administrator's last step went: chapter 4's flags, which every call of the area sets. Beside them the credit: one
 * under way, how the last one ended, and those of which it is not known whether they were made. The session itself is in
 * web/base, the open view in the address. Everything goes blank when the administrator leaves.
 */
import { createSlice, type PayloadAction, type WithSlice } from '@reduxjs/toolkit';
import { adminApi } from '#contract/admin.ts';
import * as appMessages from '#contract/messages/app.ts';
import type { CallError } from '#web/base/callError.ts';
import { type CallStep, mutationSteps, querySteps } from '#web/base/callSteps.ts';
import { adminLoggedIn, adminLoggedOut } from '#web/base/session.ts';
import { rootReducer } from '#web/base/store.ts';
import type { CreditOutcome, PressedCredit } from './credit/creditCustomer.ts';

/** It lives here and not in the view, so that neither a press nor its key is lost when another view is opened. */
export type CreditState = {
  /** A press is under way. */
  asking: boolean;
  /** Credits whose answer never came, oldest first. */
  unknown: PressedCredit[];
  /** How the last press ended, until that has been read. */
  outcome: CreditOutcome | null;
};
type LastStep = { isLoading: boolean; isSuccess: boolean; isError: boolean; message: string };
type AdminState = LastStep & { credit: CreditState };

const noStep: LastStep = { isLoading: false, isSuccess: false, isError: false, message: '' };
const noCredit: CreditState = { asking: false, unknown: [], outcome: null };

const names = Object.keys(adminApi);
const changes = mutationSteps(names);
// A list that is fetched in the background is no step of the administrator's; only its failure is one.
const lists = querySteps(names);

function fail(state: AdminState, { meta, payload }: CallStep<string, CallError | undefined>): void {
  // Without an answer the call was given up because the session is over, and `adminLoggedOut` has said that already;
  // so it has where the bank refused the session.
  const isOver = payload === undefined || (payload.status === 401 && meta.arg.endpointName !== 'adminLogin');
  if (!isOver) Object.assign(state, noStep, { isError: true, message: payload.message });
}

const slice = createSlice({
  name: 'admin',
  initialState: (): AdminState => ({ ...noStep, credit: noCredit }),
  reducers: {
    /** Forgets how the last step went. */
    adminReset: state => void Object.assign(state, noStep),
    /** A credit is on its way. Until its answer comes it counts as unknown. */
    creditPressed({ credit }, { payload }: PayloadAction<PressedCredit>) {
      credit.unknown = [...credit.unknown.filter(({ key }) => key !== payload.key), payload];
      Object.assign(credit, { asking: true, outcome: null });
    },
    /** A press has ended. `isPresent`: whoever pressed is still here to read it. */
    creditAnswered(
      { credit },
      { payload }: PayloadAction<{ key: string; outcome: CreditOutcome; isPresent: boolean }>,
    ) {
      const { key: answered, outcome, isPresent } = payload;
      if (!('error' in outcome && outcome.isUnknown))
        credit.unknown = credit.unknown.filter(({ key }) => key !== answered);
      if (isPresent) Object.assign(credit, { asking: false, outcome });
    },
    /** Its outcome has been read. */
    creditRead({ credit }) {
      credit.outcome = null;
    },
  },
  extraReducers: builder =>
    builder
      .addCase(adminLoggedOut, ({ credit: { unknown } }, { payload }) =>
        payload === 'ended'
          ? // Who comes back after a session ran out must not make the same credit twice.
            { ...noStep, message: appMessages.sessionEnded, credit: { ...noCredit, unknown } }
          : { ...noStep, credit: noCredit },
      )
      .addCase(adminLoggedIn, ({ credit }, { payload }) => {
        credit.unknown = credit.unknown.filter(({ adminId }) => adminId === payload._id);
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
export const { adminReset, creditPressed, creditAnswered, creditRead } = adminSlice.actions;
