/** Recognizes calls as they pass through the store, so that a slice follows how they go without importing the client. */
import type { UnknownAction } from '@reduxjs/toolkit';
import type { Answered, CallError } from './callError.ts';

type Payloads<Done> = { pending: undefined; fulfilled: Done; rejected: CallError | undefined };

/** A call's action. Without a payload, a rejected one was given up: aborted, or its session is over. */
export type CallStep<Name, Payload> = UnknownAction & {
  meta: { arg: { endpointName: Name }; aborted?: boolean };
  payload: Payload;
};

/** Matchers for the calls named, whose payload is `Done` when they succeed. */
function steps<Done, Name extends string>(kind: 'Query' | 'Mutation', names: readonly Name[]) {
  const matcher =
    <Stage extends keyof Payloads<Done>>(stage: Stage) =>
    (action: UnknownAction): action is CallStep<Name, Payloads<Done>[Stage]> => {
      const { type, meta } = action as UnknownAction & {
        meta?: { arg?: { endpointName?: Name }; condition?: boolean };
      };
      // A query that the cache answered is rejected by its condition; nothing was asked.
      const name = type === `api/execute${kind}/${stage}` && !meta?.condition && meta?.arg?.endpointName;
      return Boolean(name && names.includes(name));
    };
  return {
    isPending: matcher('pending'),
    isFulfilled: matcher('fulfilled'),
    isRejected: matcher('rejected'),
  };
}

/** The steps of an area's changes; a success carries the envelope's data and message. */
export const mutationSteps = <Name extends string>(names: readonly Name[]) =>
  steps<Answered, Name>('Mutation', names);

/** The steps of queries; a success carries the data alone. */
export const querySteps = <Data = unknown>(names: readonly string[]) => steps<Data, string>('Query', names);
