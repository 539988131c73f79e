/** Saves the file that a call returns, and provides the progress and the error. */
import { useState } from 'react';
import type { Endpoint } from '#contract/endpoint.ts';
import { errorMessage } from './callError.ts';
import type { AnyCall } from './request.ts';
import { saveFile } from './saveFile.ts';
import { useAppDispatch } from './store.ts';

/** `bytes`: how many have arrived; undefined while nothing is being saved. `failed`: a sentence, or empty. */
export function useSaveFile(failedText: string) {
  const [bytes, setBytes] = useState<number>();
  const [failed, setFailed] = useState('');
  const dispatch = useAppDispatch();
  /** Resolves to the sentence that says why the file was not saved, or to undefined. */
  const save = async (endpoint: Endpoint, call: AnyCall = {}): Promise<string | undefined> => {
    setFailed('');
    setBytes(0);
    const error = await dispatch(saveFile(endpoint, call, setBytes));
    setBytes(undefined);
    const text = error && errorMessage(error, failedText);
    setFailed(text ?? '');
    return text;
  };
  return { save, bytes, failed };
}
