/** One picture, from picking it to handing it in: shown first, sent by a press, counted while it goes, called back on the way. */
import { Button } from '#web/ui/Button.tsx';
import { FileField } from './FileField.tsx';
import * as words from './words.ts';
import './PictureUpload.css';

export type PictureUploadProps = {
  label: string;
  hint: string;
  shape: 'round' | 'sheet';
  /** What is there already. */
  currentUrl?: string | undefined;
  /** `progress` is in whole percents while the picture is being sent. */
  upload: {
    file: File | null;
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
