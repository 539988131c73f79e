/**
 * How the administrator's last step went: chapter 4's flags, which every call of the area sets. The session itself is
 * in web/base, the open view in the address. Everything goes blank when the administrator leaves.
 */
import { createSlice, type UnknownAction, type WithSlice } from '@reduxjs/toolkit';
import { adminApi } from '#contract/admin.ts';
import { messages } from '#contract/messages.ts';
import type { CallError } from '#web/base/callError.ts';
import { adminLoggedOut } from '#web/base/session.ts';
import { rootReducer } from '#web/base/store.ts';

type AdminState = { isLoading: boolean; isSuccess: boolean; isError: boolean; message: string };

const blank: AdminState = { isLoading: false, isSuccess: false, isError: false, message: '' };

type CallAction = UnknownAction & {
  meta: { arg: { endpointName: keyof typeof adminApi } };
  payload?: CallError;
};

// A list that is fetched in the background is no step of the administrator's; only its failure is told.
function callMatcher(kind: 'executeMutation' | 'executeQuery', stage: 'pending' | 'fulfilled' | 'rejected') {
  return (action: UnknownAction): action is CallAction =>
    action.type === `api/${kind}/${stage}` &&
    ((action as CallAction).meta?.arg?.endpointName ?? '') in adminApi &&
    !(action as { meta?: { condition?: boolean } }).meta?.condition;
}

function fail(state: AdminState, { meta, payload }: CallAction): AdminState {
  // Without an answer the call was given up because the session is over, and `adminLoggedOut` has said that already;
  // so it has where the bank refused the session.
  const isOver = payload === undefined || (payload.status === 401 && meta.arg.endpointName !== 'adminLogin');
  return isOver ? state : { ...blank, isError: true, message: payload.message };
}

const slice = createSlice({
  name: 'admin',
  initialState: blank,
  reducers: {
    /** Forgets how the last step went. */
    adminReset: () => blank,
  },
  extraReducers: builder =>
    builder
      .addCase(adminLoggedOut, (_, { payload }) =>
        payload === 'ended' ? { ...blank, message: messages.app.sessionEnded } : blank,
      )
      .addMatcher(callMatcher('executeMutation', 'pending'), () => ({ ...blank, isLoading: true }))
      .addMatcher(callMatcher('executeMutation', 'fulfilled'), (_, { payload }) => ({
        ...blank,
        isSuccess: true,
        message: payload?.message ?? '',
      }))
      .addMatcher(callMatcher('executeMutation', 'rejected'), fail)
      .addMatcher(callMatcher('executeQuery', 'rejected'), fail),
  selectors: { lastStep: state => state },
});

declare module '#web/base/store.ts' {
  interface LazySlices extends WithSlice<typeof slice> {}
}

export const adminSlice = slice.injectInto(rootReducer);
export const { adminReset } = adminSlice.actions;
