/**
 * How the customer's last change in Settings went, and whether the account is about to be deleted. Forgotten on leaving the
 * screen and with the session.
 */
import { createSlice, type PayloadAction, type UnknownAction, type WithSlice } from '@reduxjs/toolkit';
import * as errorMessages from '#contract/messages/errors.ts';
import { settingsApi } from '#contract/settings.ts';
import { type Answered, type CallError, errorMessage } from '#web/base/callError.ts';
import { loggedOut } from '#web/base/session.ts';
import { rootReducer } from '#web/base/store.ts';

export type SettingsState = {
  request: 'idle' | 'loading' | 'success' | 'error';
  /** The sentence of a success or an error. */
  message: string;
  /** The button 'Delete Account' was pressed; the password is asked for. */
  confirmingDeletion: boolean;
};

const blank: SettingsState = { request: 'idle', message: '', confirmingDeletion: false };

type Step<Payload> = UnknownAction & {
  meta: { arg: { endpointName: string }; aborted?: boolean };
  payload: Payload;
};

/** Whether an action is a step of a change in Settings: every call of the area that is not a query. */
function isStep(action: UnknownAction, type: 'pending' | 'fulfilled' | 'rejected'): boolean {
  return (
    action.type === `api/executeMutation/${type}` &&
    Object.hasOwn(settingsApi, (action as Step<unknown>).meta.arg.endpointName)
  );
}

const slice = createSlice({
  name: 'settings',
  initialState: blank,
  reducers: {
    settingsReset: () => blank,
    /** How the last change went is no longer said: by a press on its cross, or because the next one was pressed. */
    noticeDismissed: state => ({ ...state, request: 'idle', message: '' }),
    deletionAsked: (_, { payload }: PayloadAction<boolean>) => ({
      ...blank,
      confirmingDeletion: payload,
    }),
  },
  extraReducers: builder =>
    builder
      .addCase(loggedOut, () => blank)
      .addMatcher(
        action => isStep(action, 'pending'),
        state => ({ ...state, request: 'loading', message: '' }),
      )
      .addMatcher(
        (action): action is Step<Answered> => isStep(action, 'fulfilled'),
        (state, { payload }) => ({ ...state, request: 'success', message: payload.message }),
      )
      .addMatcher(
        (action): action is Step<CallError | undefined> => isStep(action, 'rejected'),
        // What the person called back did not fail.
        (state, { meta, payload }) =>
          meta.aborted
            ? { ...state, request: 'idle', message: '' }
            : { ...state, request: 'error', message: errorMessage(payload, errorMessages.fault) },
      ),
  selectors: { settingsState: state => state },
});

declare module '#web/base/store.ts' {
  interface LazySlices extends WithSlice<typeof slice> {}
}

const settingsSlice = slice.injectInto(rootReducer);
export const { settingsReset, noticeDismissed, deletionAsked } = slice.actions;
export const { settingsState: selectSettings } = settingsSlice.selectors;
