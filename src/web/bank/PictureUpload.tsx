/** The upload of one picture: picked, previewed, sent by a click, with its progress and a button to cancel. */
import { useEffect, useRef } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { FileField } from './FileField.tsx';
import * as words from './words.ts';
import './PictureUpload.css';

export type PictureUploadProps = {
  label: string;
  hint: string;
  shape: 'round' | 'sheet';
  /** The picture that is already stored. */
  currentUrl?: string | undefined;
  /** `progress` is in whole percent while the picture is being sent. */
  upload: {
    file: File | null;
    /** Why the picked file cannot be sent; empty if it can. */
    problem: string;
    progress: number | undefined;
    pick: (file: File | null) => void;
    send: () => void;
    cancel: () => void;
  };
  disabled?: boolean | undefined;
};

export function PictureUpload({ label, hint, shape, currentUrl, upload, disabled }: PictureUploadProps) {
  const { file, problem, progress, pick, send, cancel } = upload;
  const field = useRef<HTMLDivElement>(null);
  const wasSending = useRef(false);
  useEffect(() => {
    // The button that had the focus is gone once the picture has arrived.
    if (wasSending.current && progress === undefined && document.activeElement === document.body)
      field.current?.querySelector('input')?.focus();
    wasSending.current = progress !== undefined;
  }, [progress]);
  return (
    <div ref={field} className="PictureUpload">
      <FileField
        label={label}
        hint={hint}
        shape={shape}
        currentUrl={currentUrl}
        file={file}
        onPick={pick}
        error={problem}
        progress={progress}
        onCancel={cancel}
        disabled={disabled}
      />
      {file && !problem && (
        <Button icon="upload" busy={progress !== undefined} busyLabel={words.uploadingNow} onClick={send}>
          {words.upload}
        </Button>
      )}
    </div>
  );
}
