/** Matchers that let a slice follow the progress of calls without importing the client. */
import type { UnknownAction } from '@reduxjs/toolkit';
import type { Answered, CallError } from './callError.ts';

type Payloads<Done> = { pending: undefined; fulfilled: Done; rejected: CallError | undefined };

/** A call's action. A rejected action without a payload means that the call was aborted or its session is over. */
export type CallStep<Name, Payload> = UnknownAction & {
  meta: { arg: { endpointName: Name }; aborted?: boolean };
  payload: Payload;
};

/** Matchers for the named calls; `Done` is the payload of a success. */
function steps<Done, Name extends string>(kind: 'Query' | 'Mutation', names: readonly Name[]) {
  const matcher =
    <Stage extends keyof Payloads<Done>>(stage: Stage) =>
    (action: UnknownAction): action is CallStep<Name, Payloads<Done>[Stage]> => {
      const { type, meta } = action as UnknownAction & {
        meta?: { arg?: { endpointName?: Name }; condition?: boolean };
      };
      // `meta.condition`: RTK Query rejects a query that is under way or that the cache can answer. No request was sent.
      const name = type === `api/execute${kind}/${stage}` && !meta?.condition && meta?.arg?.endpointName;
      return Boolean(name && names.includes(name));
    };
  return {
    isPending: matcher('pending'),
    isFulfilled: matcher('fulfilled'),
    isRejected: matcher('rejected'),
  };
}

/** Matchers for an area's mutations; a success carries the envelope's data and message. */
export const mutationSteps = <Name extends string>(names: readonly Name[]) =>
  steps<Answered, Name>('Mutation', names);

/** Matchers for queries; a success carries only the data. */
export const querySteps = <Data = unknown>(names: readonly string[]) => steps<Data, string>('Query', names);
