/** The upload of one picture: picked, previewed, sent by a click, with its progress and a button to cancel. */
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
  return (
    <div className="PictureUpload">
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
