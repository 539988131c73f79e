/**
 * The upload of a picked picture: checked before it is sent, progress in percent, canceled by the user or by leaving the
 * screen.
 */
import { useEffect, useRef, useState } from 'react';
import { registration } from '#contract/constants.ts';
import type { CallError } from './callError.ts';
import { checkImage } from './formRules.ts';

type Sending = Promise<{ error?: unknown }> & { abort: () => void };
type Send = (call: {
  files: { avatar: File };
  onProgress: (percent: number) => void;
  timeoutMs: number;
}) => Sending;

/**
 * `send` is the trigger of an upload mutation. After success the file is cleared; after a failure it stays picked, unless
 * `isSaved` finds out that the bank has it.
 */
export function useUpload(send: Send, isSaved?: (error: CallError) => Promise<boolean>) {
  const [file, setFile] = useState<File | null>(null);
  const [progress, setProgress] = useState<number>();
  const sending = useRef<Sending>(undefined);
  useEffect(() => () => sending.current?.abort(), []);

  const problem = (file && checkImage(file)) || '';
  const start = async () => {
    if (!file || problem || sending.current) return;
    setProgress(0);
    sending.current = send({
      files: { avatar: file },
      onProgress: setProgress,
      timeoutMs: registration.timeoutMs,
    });
    const { error } = await sending.current;
    const isCanceled = (error as Error | undefined)?.name === 'AbortError';
    if (!error || (!isCanceled && (await isSaved?.(error as CallError)))) setFile(null);
    sending.current = undefined;
    setProgress(undefined);
  };
  return {
    file,
    problem,
    progress,
    pick: setFile,
    send: () => void start(),
    cancel: () => sending.current?.abort(),
  };
}
