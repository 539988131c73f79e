/** Saves a form of the settings. After a lost answer, reads the bank's values again to find out whether it was saved. */
import { useEffect, useState } from 'react';
import * as errorMessages from '#contract/messages/errors.ts';
import type { CallError } from '#web/base/callError.ts';
import { useAppDispatch } from '#web/base/store.ts';
import { type ActedOn, useActs } from '#web/base/useActs.ts';
import { noteOutdated, settingsNoted, settingsReset } from './settingsSlice.ts';

/** `saved` is the query that the form shows, and `done` the notice after a lost answer to a change that worked. */
export function useFormSave<State extends object>(saved: ActedOn<State>, done: string) {
  const dispatch = useAppDispatch();
  const { act, busy, failed, isUnknown } = useActs(saved, errorMessages.fault);
  /** Until the success is noted, so that a form that goes once nothing is left to save does not go before that. */
  const [isNoting, setIsNoting] = useState(false);
  useEffect(() => {
    if (!isUnknown) return undefined;
    dispatch(settingsNoted({ request: 'error', message: failed, isUnknown }));
    return () => void dispatch(noteOutdated(failed));
  }, [isUnknown, failed, dispatch]);
  /** Sends `body`, whose fields are those of the query. Returns the error, even if the change worked. */
  const save = async <Body extends Partial<State>>(
    body: Body,
    send: (call: { body: Body }) => PromiseLike<{ error?: unknown }>,
  ) => {
    dispatch(settingsReset());
    setIsNoting(true);
    const isUndone = (now: State) =>
      Object.entries(body).some(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(now[name as keyof State]),
      );
    const { hasWorked, error } = await act('save', () => send({ body }), isUndone);
    if (hasWorked && error) dispatch(settingsNoted({ request: 'success', message: done }));
    setIsNoting(false);
    return error as CallError | undefined;
  };
  return { save, isSaving: busy !== undefined || isNoting };
}
