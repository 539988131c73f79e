/**
 * The result of the customer's last change in Settings (specification, chapter 4). It goes when the customer dismisses it,
 * starts another change, chooses a tab, leaves the screen or logs out.
 */
import { createSlice, isAnyOf, type PayloadAction, type WithSlice } from '@reduxjs/toolkit';
import * as errorMessages from '#contract/messages/errors.ts';
import { fill } from '#contract/messages/fill.ts';
import * as settingsMessages from '#contract/messages/settings.ts';
import * as stepUpMessages from '#contract/messages/stepUp.ts';
import { settingsApi } from '#contract/settings.ts';
import * as bankWords from '#web/bank/words.ts';
import { errorMessage, isUncertain } from '#web/base/callError.ts';
import { mutationSteps } from '#web/base/callSteps.ts';
import { loggedOut } from '#web/base/session.ts';
import { rootReducer } from '#web/base/store.ts';

const passwordUnknown = fill(bankWords.passwordUnknown, { button: settingsMessages.updatePassword });

export type SettingsState = {
  request: 'idle' | 'loading' | 'success' | 'error';
  /** The sentence of a success or an error. */
  message: string;
  /** The answer was lost, so the change may have been made. */
  isUnknown?: boolean;
};

const blank: SettingsState = { request: 'idle', message: '' };
const changes = mutationSteps([
  ...Object.keys(settingsApi),
  'setLimits',
  'setPreferences',
  'freezeOwn',
  'unfreezeOwn',
]);

/** Changes whose section or form says itself, after a lost answer, what became of them (`base/useActs.ts`, `useIdDocument`). */
const readActs = mutationSteps([
  'freezeOwn',
  'unfreezeOwn',
  'endSession',
  'endOtherSessions',
  'updateContact',
  'updateIdentity',
  'setLimits',
  'setPreferences',
  'uploadIdCard',
]);

const passwordChange = mutationSteps(['changePassword']);

/** Changes whose dialogs show the errors, so they are not kept here. */
const factorChanges = mutationSteps(['addPasskey', 'removePasskey', 'confirmApp', 'removeApp']);
/** Calls before such a change, and new recovery codes. Once one is sent, the result of an earlier change is outdated. */
const factorCalls = mutationSteps(['passkeyOptions', 'startApp', 'renewRecoveryCodes']);

/** After a canceled confirmation, also says that no part of the change was saved. */
function describeFailure(error: unknown): string {
  const message = errorMessage(error, errorMessages.fault);
  return message === stepUpMessages.canceled ? `${message} ${stepUpMessages.nothingChanged}` : message;
}

const slice = createSlice({
  name: 'settings',
  initialState: blank,
  reducers: {
    settingsReset: () => blank,
    settingsNoted: (_, { payload }: PayloadAction<SettingsState>) => payload,
    /** Removes an error, unless the change may have been made. */
    errorOutdated: state => (state.request === 'error' && !state.isUnknown ? blank : state),
    /** Removes this message, but no later one of another form. */
    noteOutdated: (state, { payload }: PayloadAction<string>) => (state.message === payload ? blank : state),
  },
  extraReducers: builder =>
    builder
      .addCase(loggedOut, () => blank)
      .addMatcher(changes.isPending, () => ({ ...blank, request: 'loading' }))
      .addMatcher(isAnyOf(factorCalls.isPending, factorChanges.isPending), () => blank)
      .addMatcher(isAnyOf(changes.isFulfilled, factorChanges.isFulfilled), (_, { payload: { message } }) => ({
        request: 'success',
        message,
      }))
      .addMatcher(changes.isRejected, (_, action) => {
        const { meta, payload } = action;
        // A request that the customer canceled is not an error.
        if (meta.aborted || (readActs.isRejected(action) && payload && isUncertain(payload))) return blank;
        const isUnheard = payload && (typeof payload.status !== 'number' || !payload.message);
        if (isUnheard && isUncertain(payload))
          return {
            request: 'error',
            isUnknown: true,
            message: passwordChange.isRejected(action) ? passwordUnknown : errorMessages.actUnknown,
          };
        return { request: 'error', message: describeFailure(payload) };
      }),
  selectors: { settingsState: state => state },
});

declare module '#web/base/store.ts' {
  interface LazySlices extends WithSlice<typeof slice> {}
}

const settingsSlice = slice.injectInto(rootReducer);
export const { settingsReset, settingsNoted, errorOutdated, noteOutdated } = slice.actions;
export const { settingsState: selectSettings } = settingsSlice.selectors;
