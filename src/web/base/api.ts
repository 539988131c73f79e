/**
 * The typed client: turns an area's contract into RTK Query hooks, GET endpoints into queries and all others into mutations.
 * A query's `data` is the endpoint's Data. A mutation resolves to `{ data, message }` with the envelope's message. Every
 * error is a `CallError`. Importing this file adds the API slice to the store.
 */
import type { ThunkDispatch, UnknownAction, WithSlice } from '@reduxjs/toolkit';
import {
  type BaseQueryFn,
  createApi,
  type EndpointBuilder,
  type MutationDefinition,
  type QueryDefinition,
  setupListeners,
} from '@reduxjs/toolkit/query/react';
import type { Api, Call, Data, Endpoint } from '#contract/endpoint.ts';
import { type Asked, ask } from './ask.ts';
import { type Answered, type CallError, isOutOfDate, isUncertain } from './callError.ts';
import { watchForReturn } from './reconnect.ts';
import { adminLoggedOut, loggedOut } from './session.ts';
import { addMiddleware, announceReducer, rootReducer } from './store.ts';

/** Tags that a query provides and a change invalidates. */
const tags = [
  'Money',
  'Transactions',
  'Profile',
  'Approvals',
  'AdminStats',
  'AdminTransactions',
  'Users',
  'Notifications',
  'Sessions',
  'Payees',
  'Factors',
  'Scheduled',
  'Goals',
  'Customer',
  'Requests',
  'Staff',
  'AdminProfile',
  'Copies',
  'Messages',
  'Unclaimed',
  'DayEnd',
  'Alerts',
  'Screening',
  'Rail',
] as const;
export type Tag = (typeof tags)[number];

type Asking = BaseQueryFn<Asked, Answered, CallError>;

/** The cache of server data. A screen that opens shows what is cached and refetches it. */
export const api = createApi({
  reducerPath: 'api',
  baseQuery: ask as Asking,
  tagTypes: tags,
  refetchOnMountOrArgChange: true,
  // `watchForReturn` below triggers it too, once the bank can be reached again.
  refetchOnReconnect: true,
  endpoints: () => ({}),
});

declare module './store.ts' {
  export interface LazySlices extends WithSlice<typeof api> {}
}

rootReducer.inject(api);
addMiddleware(api.middleware, store => {
  const { dispatch } = store;
  // Reports focus and the browser's network to the queries, so that a hidden tab does not poll.
  setupListeners(dispatch);
  const hasFailed = () =>
    Object.values((store.getState() as { api: { queries: object } }).api.queries).some(
      (query: { status?: string } | undefined) => query?.status === 'rejected',
    );
  let refetchAll = () => {};
  setupListeners(dispatch, (_, { onOnline }) => {
    refetchAll = () => dispatch(onOnline());
    return () => {};
  });
  const onFailed = watchForReturn(hasFailed, () => refetchAll());
  return next => action => {
    const result = next(action);
    if (isFailedQuery(action) && isUncertain(action.payload)) onFailed();
    if (loggedOut.match(action) || adminLoggedOut.match(action)) dispatch(api.util.resetApiState());
    return result;
  };
});
announceReducer();

function isFailedQuery(action: unknown): action is { payload: CallError } {
  const { type, payload } = action as { type?: string; payload?: unknown };
  return type === 'api/executeQuery/rejected' && payload !== undefined;
}

type OptionalWhereUndefined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: T[K];
};
type SendingPart<E> = E extends { files: unknown }
  ? {
      /** Called with the upload's progress in whole percent. */
      onProgress?: ((percent: number) => void) | undefined;
      timeoutMs?: number;
    }
  : E extends { method: 'GET' }
    ? unknown
    : {
        timeoutMs?: number;
        /** The `_id` of the user this call is made for. If another user is logged in, the call fails without a request. */
        onlyFor?: string;
      } & (E extends { stepUp: true }
        ? {
            /** What a step-up of this call confirms: the title of its panel. A function is called when the step-up begins. */
            confirms: string | (() => Promise<string>);
            /** See `StepUpAsked`. */
            withoutApp?: boolean;
          }
        : unknown);

// biome-ignore lint/suspicious/noConfusingVoidType: void is how RTK Query knows that a hook may be called with nothing
type AllOptional<T> = Record<never, never> extends T ? T | void : T;

/** The argument of a hook: the parts of the call that the contract declares, and `SendingPart`; void if all are optional. */
export type Argument<E extends Endpoint> = AllOptional<
  OptionalWhereUndefined<Call<E, Blob>> & SendingPart<E>
>;

/** What a mutation resolves to. */
export type Done<E extends Endpoint> = { data: Data<E>; message: string };

type Definition<E extends Endpoint> = E['method'] extends 'GET'
  ? QueryDefinition<Argument<E>, Asking, Tag, Data<E>, 'api'>
  : MutationDefinition<Argument<E>, Asking, Tag, Done<E>, 'api'>;
type Definitions<A extends Api> = { [K in keyof A]: Definition<A[K]> };

/**
 * For each call, the tags that a query provides or a change invalidates. A change that the bank refuses because someone acted
 * first invalidates `ifOutOfDate` instead, or both lists in the back office. A change without an answer invalidates both.
 * `saves` names a query without arguments whose data has the fields of the change's body.
 */
export type Tagged<A extends Api> = {
  [K in keyof A]?: A[K]['method'] extends 'GET'
    ? { provides: Tag[] }
    : { invalidates: Tag[]; ifOutOfDate?: Tag[]; saves?: string };
};

/** Adds an area's calls to the client. Call it once per area, in the feature's `…Calls.ts`, and export its hooks there. */
export function areaApi<const A extends Api>(area: A, tagged: Tagged<A>) {
  const define = (build: EndpointBuilder<Asking, Tag, 'api'>) =>
    Object.fromEntries(
      Object.entries(area).map(([name, endpoint]) => {
        const {
          provides = [],
          invalidates = [],
          ifOutOfDate = [],
          saves,
        } = (tagged[name] ?? {}) as {
          provides?: Tag[];
          invalidates?: Tag[];
          ifOutOfDate?: Tag[];
          saves?: string;
        };
        const query = (call: unknown) => ({ endpoint, call: call ?? {} }) as Asked;
        if (endpoint.method !== 'GET') {
          return [
            name,
            build.mutation<Answered, unknown>({
              query,
              invalidatesTags: afterChange(
                invalidates,
                endpoint.access === 'admin' ? [...invalidates, ...ifOutOfDate] : ifOutOfDate,
              ),
              ...(saves && { onQueryStarted: putInto(saves) }),
            }),
          ];
        }
        const transformResponse = (answer: Answered) => answer.data;
        return [name, build.query<unknown, unknown>({ query, transformResponse, providesTags: provides })];
      }),
    );
  return api.injectEndpoints({ endpoints: build => define(build) as unknown as Definitions<A> });
}

type Saving = { dispatch: ThunkDispatch<unknown, unknown, UnknownAction>; queryFulfilled: Promise<unknown> };
type UpdateQueryData = (name: string, argument: undefined, update: (data: object) => void) => UnknownAction;

/**
 * Puts what was sent into the data of the query `name` once it is saved. Otherwise a form would count as unsaved until the
 * query is answered again.
 */
function putInto(name: string) {
  const updateQueryData = api.util.updateQueryData as unknown as UpdateQueryData;
  return (call: unknown, { dispatch, queryFulfilled }: Saving) => {
    const { body } = call as { body: object };
    const put = () => dispatch(updateQueryData(name, undefined, data => void Object.assign(data, body)));
    void queryFulfilled.then(put, () => {});
  };
}

function afterChange(invalidates: Tag[], outOfDateTags: Tag[]) {
  return (_: unknown, error: CallError | undefined): Tag[] => {
    if (!error) return invalidates;
    // A refused change has changed nothing. An uncertain one may have, and brought no data for the cache.
    if (isUncertain(error)) return [...invalidates, ...outOfDateTags];
    return isOutOfDate(error) ? outOfDateTags : [];
  };
}
