/**
 * Who is logged in, customer and administrator: the events that change it, its state, and the few fields that browser storage
 * may keep. Balance, address and phone live in memory only. Every slice with a user's data resets itself on `loggedOut`
 * (customer) or `adminLoggedOut`.
 */
import {
  createAction,
  createSlice,
  type PayloadAction,
  type ThunkAction,
  type ThunkDispatch,
  type UnknownAction,
} from '@reduxjs/toolkit';
import type { adminApi } from '#contract/admin.ts';
import type { authApi, LoggedInCustomer } from '#contract/auth.ts';
import type { Access } from '#contract/endpoint.ts';
import type { Administrator, Customer } from '#contract/entities.ts';
import * as appMessages from '#contract/messages/app.ts';
import * as settingsMessages from '#contract/messages/settings.ts';
import type { settingsApi } from '#contract/settings.ts';
import { type CallError, isUncertain } from './callError.ts';
import { mutationSteps, querySteps } from './callSteps.ts';
import { readStored, type StoredCustomer } from './sessionStorage.ts';
import { isExpired, readSessionId } from './token.ts';

/** The customer of this session; until the profile is fetched it has only the stored fields. */
export type SessionCustomer = StoredCustomer & Partial<Customer>;

/** The state of the auth area (requirement E-02). */
export type AuthState = {
  user: SessionCustomer | null;
  isError: boolean;
  isSuccess: boolean;
  isLoading: boolean;
  message: string;
  /** The email address whose login waits for its code. */
  pendingEmail: string | null;
  /** The answer to a deletion of the account was lost: if the session ends now, the account may have been deleted. */
  isDeletionUnheard?: boolean;
};

/** `hasEnded`: the last session ended automatically, not by a logout. */
export type AdminSessionState = { admin: Administrator | null; hasEnded: boolean };

/** The part of the store's state that the session's selectors read. */
export type SessionState = { auth: AuthState; adminSession: AdminSessionState };

/** The store, as far as the code that watches sessions uses it. */
export type SessionStore = {
  getState: () => SessionState;
  subscribe: (listener: () => void) => () => void;
  dispatch: ThunkDispatch<SessionState, unknown, UnknownAction>;
};

/** A customer's session begins, here or in another tab. */
export const customerLoggedIn = createAction<StoredCustomer & Partial<LoggedInCustomer>>('customerLoggedIn');
/**
 * A customer's session is over: `ended` automatically, `deleted` with the account, ended in another tab (`elsewhere`, or
 * `sending` while the result of a transfer is unknown), or by the customer's logout in this tab (undefined).
 */
export const loggedOut = createAction<'ended' | 'deleted' | 'elsewhere' | 'sending' | undefined>('loggedOut');
/** An administrator's session begins, here or in another tab. */
export const adminLoggedIn = createAction<Administrator>('adminLoggedIn');
/** An administrator's session is over. */
export const adminLoggedOut = createAction<'ended' | undefined>('adminLoggedOut');

// Matched by action type: the store does not import the calls.
const steps = mutationSteps([
  'register',
  'initiateLogin',
  'verifyCode',
  'resendCode',
  'forgotPassword',
  'resetPassword',
] satisfies (keyof typeof authApi)[]);
const deletion = mutationSteps(['deleteAccount' satisfies keyof typeof settingsApi]);
const profile = querySteps<Customer>(['profile' satisfies keyof typeof authApi]);

const blank: AuthState = {
  user: null,
  isError: false,
  isSuccess: false,
  isLoading: false,
  message: '',
  pendingEmail: null,
};

const farewells = {
  ended: appMessages.sessionEnded,
  applicant: appMessages.applicantSessionEnded,
  deleted: settingsMessages.accountDeleted,
  unheard: settingsMessages.accountMaybeDeleted,
  elsewhere: appMessages.loggedOut,
  sending: appMessages.loggedOutSending,
};

export const authSlice = createSlice({
  name: 'auth',
  initialState: (): AuthState => ({ ...blank, user: readStored('user') }),
  reducers: {
    /** Clears the result of the last step. */
    authReset: state => ({ ...blank, user: state.user, pendingEmail: state.pendingEmail }),
    /** A login that waits for its code continues after a reload. */
    loginResumed: (state, { payload }: PayloadAction<string>) => {
      state.pendingEmail = payload;
    },
  },
  extraReducers: builder =>
    builder
      .addCase(customerLoggedIn, (_, { payload }) => ({ ...blank, user: payload }))
      .addCase(loggedOut, ({ user, isDeletionUnheard }, { payload }) => {
        if (!payload) return blank;
        if (payload !== 'ended') return { ...blank, message: farewells[payload] };
        const usual = user?.isApproved === false ? 'applicant' : 'ended';
        return { ...blank, message: farewells[isDeletionUnheard ? 'unheard' : usual] };
      })
      .addMatcher(deletion.isRejected, (state, { payload }) => {
        if (state.user) state.isDeletionUnheard = payload !== undefined && isUncertain(payload);
      })
      .addMatcher(steps.isPending, state => {
        Object.assign(state, { isLoading: true, isError: false, isSuccess: false, message: '' });
      })
      .addMatcher(steps.isRejected, (state, { payload }) => {
        Object.assign(state, { isLoading: false, isError: true, message: payload?.message ?? '' });
      })
      .addMatcher(steps.isFulfilled, (state, { meta, payload }) => {
        Object.assign(state, { isLoading: false, isSuccess: true, message: payload.message });
        if (meta.arg.endpointName === 'initiateLogin') {
          state.pendingEmail = (payload.data as { email: string }).email;
        }
      })
      .addMatcher(profile.isFulfilled, (state, { payload }) => {
        // Ignore a profile response that was pending when another session began.
        if (state.user?._id !== payload._id) return;
        // The profile leaves the field out while no document is wanted.
        Object.assign(state.user, { isIdRequested: false }, payload);
        // The account exists.
        delete state.isDeletionUnheard;
      }),
});
export const { authReset, loginResumed } = authSlice.actions;

export const adminSessionSlice = createSlice({
  name: 'adminSession',
  initialState: (): AdminSessionState => ({ admin: readStored('admin'), hasEnded: false }),
  reducers: {},
  extraReducers: builder =>
    builder
      .addCase(adminLoggedIn, (_, { payload }) => ({ admin: payload, hasEnded: false }))
      .addCase(adminLoggedOut, (_, { payload }) => ({ admin: null, hasEnded: payload === 'ended' })),
});

export const selectAuth = (state: SessionState) => state.auth;
export const selectCustomer = (state: SessionState) => state.auth.user;
export const selectAdmin = (state: SessionState) => state.adminSession.admin;
export const selectHasAdminEnded = (state: SessionState) => state.adminSession.hasEnded;

/** The token for a call with this access. */
export function selectToken(state: SessionState, access: Access = 'customer'): string | undefined {
  if (access === 'none') return undefined;
  return (access === 'admin' ? state.adminSession.admin : state.auth.user)?.token;
}

/** The `_id` of the user that a call with this access is made for. */
export function selectPersonId(state: SessionState, access: Access): string | undefined {
  if (access === 'none') return undefined;
  return (access === 'admin' ? state.adminSession.admin : state.auth.user)?._id;
}

/** The id of the customer's session; every login gets a new one. */
export function selectSessionId(state: SessionState): string | undefined {
  return readSessionId(selectToken(state));
}

export type Thunk<Result> = ThunkAction<Result, SessionState, unknown, UnknownAction>;

const paths = {
  customer: '/api/v1/auth/logout' satisfies (typeof authApi)['logout']['path'],
  admin: '/api/v1/admin/logout' satisfies (typeof adminApi)['adminLogout']['path'],
};
const answerWithinMs = 5000;

/**
 * Logs the customer out: immediately in the browser and in every tab, then on the server. Resolves when the server has answered
 * or cannot be reached: then the token works until it expires or the server ends the session as idle. `ended`: logged out for
 * inactivity, not by the user.
 */
export function logOut(reason?: 'ended'): Thunk<Promise<void>> {
  return endSession('customer', () => loggedOut(reason));
}

/** `logOut` for the administrator. */
export function logOutAdmin(reason?: 'ended'): Thunk<Promise<void>> {
  return endSession('admin', () => adminLoggedOut(reason));
}

// Plain fetch: public pages have a Logout button but do not load the API client.
function endSession(access: 'customer' | 'admin', event: () => UnknownAction): Thunk<Promise<void>> {
  return async (dispatch, getState) => {
    const token = selectToken(getState(), access);
    dispatch(event());
    if (!token) return;
    await fetch(paths[access], {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      keepalive: true,
      signal: AbortSignal.timeout(answerWithinMs),
    }).catch(() => undefined);
  };
}

/** Ends the sessions whose token has expired. */
export function endExpiredSessions(): Thunk<void> {
  return (dispatch, getState) => {
    const customer = selectToken(getState(), 'customer');
    const admin = selectToken(getState(), 'admin');
    if (customer !== undefined && isExpired(customer)) dispatch(loggedOut('ended'));
    if (admin !== undefined && isExpired(admin)) dispatch(adminLoggedOut('ended'));
  };
}

/** Ends the session of `token` if the server refused it: by 401, or by a code with any status (specification, chapter 4). */
export function endIfRefused(
  { status, code }: Pick<CallError, 'status' | 'code'>,
  access: Access,
  token: string | undefined,
): Thunk<void> {
  return (dispatch, getState) => {
    if (status !== 401 && code !== 'NOT_AUTHORIZED' && code !== 'TOKEN_EXPIRED') return;
    // Another session may have begun while this call was pending; only the refused one ends.
    if (!token || selectToken(getState(), access) !== token) return;
    dispatch(access === 'admin' ? adminLoggedOut('ended') : loggedOut('ended'));
  };
}
