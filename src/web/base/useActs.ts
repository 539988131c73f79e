/**
 * The acts of a row or section, without idempotency keys, on a state that a query reads. An act is busy until the state has
 * been read again, so that no button is beside an old state. After a lost answer, the state says whether the act worked.
 */
import { useState } from 'react';
import * as errorMessages from '#contract/messages/errors.ts';
import { type CallError, errorMessage, isOutOfDate, isUncertain } from './callError.ts';
import { useAppDispatch } from './store.ts';

type Reading<State> = {
  data?: State | undefined;
  isError: boolean;
  startedTimeStamp?: number | undefined;
  /** When `data` arrived. */
  fulfilledTimeStamp?: number | undefined;
};

/** The query's result. */
export type ActedOn<State> = {
  data?: State | undefined;
  refetch: () => PromiseLike<Reading<State>>;
};

/** `error` is the answer's. An act with an error may have worked all the same. */
type Acted = { hasWorked: boolean; error?: CallError | undefined };

type Failed<State> = { text: string; isUnknown: boolean; isUndone: (state: State) => boolean };

/** `fallback`: the text of a refusal without a message. */
export function useActs<State>({ data, refetch }: ActedOn<State>, fallback: string) {
  const dispatch = useAppDispatch();
  const [busy, setBusy] = useState<string>();
  const [failed, setFailed] = useState<Failed<State>>();
  /**
   * Acts, unless another act is under way. `isUndone` tells whether a state is the one from before this act.
   */
  const act = async (
    name: string,
    send: () => PromiseLike<{ error?: unknown }>,
    isUndone: (state: State) => boolean,
  ): Promise<Acted> => {
    if (busy !== undefined) return { hasWorked: false };
    setFailed(undefined);
    setBusy(name);
    const error = (await send()).error as CallError | undefined;
    const isUnknown = error !== undefined && isUncertain(error);
    const mayBeNew = !error || isUnknown || isOutOfDate(error);
    const now = mayBeNew ? await readSince(Date.now(), refetch) : undefined;
    // Components get the new state now, and not with the next frame, which is when the store would announce a query's answer.
    dispatch({ type: 'acts/read' });
    setBusy(undefined);
    if (!error || (isUnknown && now !== undefined && !isUndone(now))) return { hasWorked: true, error };
    const hasMessage = !isUnknown || (typeof error.status === 'number' && now !== undefined);
    const lost = now === undefined ? errorMessages.actUnknown : errorMessages.actUndone;
    setFailed({ text: hasMessage ? errorMessage(error, fallback) : lost, isUnknown, isUndone });
    return { hasWorked: false, error };
  };
  // A lost act may still arrive at the bank: its error goes once the state shows that it worked.
  const isShown = failed && !(failed.isUnknown && data !== undefined && !failed.isUndone(data));
  return {
    act,
    /** The name of the act that is under way. */
    busy,
    failed: isShown ? failed.text : '',
    /** Whether the bank may have done the act that failed. */
    isUnknown: isShown ? failed.isUnknown : false,
    reset: () => setFailed(undefined),
  };
}

export type Acts<State> = ReturnType<typeof useActs<State>>;

/** The state as read after `moment`; undefined if it could not be read. */
export async function readSince<State>(moment: number, refetch: ActedOn<State>['refetch']) {
  try {
    let read = await refetch();
    // This request began before the answer, so it may show the state from before the act.
    if ((read.startedTimeStamp ?? moment) < moment) read = await refetch();
    // RTK Query does not report a failed read as an error once another read has begun. The data is then from before the act.
    const isOld = read.isError || (read.fulfilledTimeStamp ?? moment) < moment;
    return isOld ? undefined : read.data;
  } catch {
    // The screen is gone, and with it the query.
    return undefined;
  }
}
