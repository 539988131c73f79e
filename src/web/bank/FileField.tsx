/**
 * Picks one image: by button, drag and drop, or keyboard. Shows a preview and the upload's progress. The image can be removed
 * and the upload canceled. An image of a wrong type or size, or that the browser cannot display, is refused with an error
 * message. The browser's own file input is underneath, so labels, `required` and screen readers work as usual.
 */
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { image } from '#contract/constants.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import { fill } from '#contract/messages/fill.ts';
import { classNames } from '#web/ui/classNames.ts';
import { Field, type FieldTexts, splitProps } from '#web/ui/Field.tsx';
import { Icon } from '#web/ui/Icon.tsx';
import { Progress } from '#web/ui/Progress.tsx';
import * as words from './words.ts';
import './FileField.css';

export type FileFieldProps = FieldTexts & {
  file: File | null;
  /** Called with the picked file, or with `null` if it was removed or cannot be used. */
  onPick: (file: File | null) => void;
  /** Called after `onPick(null)` with the reason why the picked file cannot be used. */
  onUnreadable?: ((problem: string) => void) | undefined;
  /** The image that is already stored, e.g. the current avatar. */
  currentUrl?: string | undefined;
  /** `round` for a person's picture, `sheet` for a document. */
  shape?: 'round' | 'sheet' | undefined;
  /** Percent, 0 to 100, while the image is being sent. */
  progress?: number | undefined;
  /** Cancels the upload; without it the upload cannot be canceled. */
  onCancel?: (() => void) | undefined;
  id?: string | undefined;
  required?: boolean | undefined;
  disabled?: boolean | undefined;
};

/** The picture's object URL, for as long as the file is shown. */
function usePreview(file: File | null): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!file) return setUrl(undefined);
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}

function sizeText(bytes: number): string {
  return bytes < 1024 * 1024
    ? `${Math.max(1, Math.round(bytes / 1024))} KB`
    : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

export function FileField(props: FileFieldProps) {
  const [field, own] = splitProps(props);
  const { file, onPick, currentUrl } = own;
  const { shape = 'round', progress, disabled } = own;
  const input = useRef<HTMLInputElement>(null);
  const preview = usePreview(file);
  const [over, setOver] = useState(false);
  const [problem, setProblem] = useState('');
  const error = props.error || problem;
  const picture = preview ?? currentUrl;
  const sending = progress !== undefined;
  const locked = disabled || sending;

  const refuse = (found: string) => {
    if (input.current) input.current.value = '';
    setProblem(found);
    onPick(null);
    props.onUnreadable?.(found);
  };
  const take = (picked: File | null) => {
    const isKnown = !picked || (image.accepted as readonly string[]).includes(picked.type);
    if (!isKnown) return refuse(errorMessages.unsupportedType);
    if (picked && picked.size > image.maxBytes) return refuse(errorMessages.tooLarge);
    setProblem('');
    onPick(picked);
  };
  const checkSize = ({ naturalWidth, naturalHeight }: HTMLImageElement) => {
    if (Math.min(naturalWidth, naturalHeight) < image.minSidePixels) refuse(errorMessages.imageTooSmall);
    if (naturalWidth * naturalHeight > image.maxPixels) refuse(errorMessages.imageTooDetailed);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [dropped] = event.dataTransfer.files;
    if (dropped && !locked) take(dropped);
  };
  const remove = () => {
    if (input.current) input.current.value = '';
    take(null);
    input.current?.focus();
  };

  return (
    <Field {...field} error={error}>
      {control => (
        // biome-ignore lint/a11y/noStaticElementInteractions: drag and drop is an extra; the input inside does the same
        <div
          className={classNames('FileField', over && 'FileField--over', Boolean(error) && 'FileField--bad')}
          onDragOver={event => {
            event.preventDefault();
            setOver(!locked);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
        >
          <span className={`FileField-frame FileField-frame--${shape}`}>
            {picture ? (
              <img
                src={picture}
                alt=""
                {...(file &&
                  picture === preview && {
                    onError: () => refuse(errorMessages.imageBroken),
                    onLoad: event => checkSize(event.currentTarget),
                  })}
              />
            ) : (
              <Icon name={shape === 'round' ? 'person' : 'idcard'} size={24} />
            )}
          </span>
          <div className="FileField-text">
            {sending ? (
              <Progress
                label={fill(words.uploadingFile, { name: file?.name ?? '' }).trim()}
                value={progress}
              />
            ) : (
              <>
                <span className="FileField-pick">
                  <input
                    {...control}
                    ref={input}
                    type="file"
                    accept={image.accepted.join(',')}
                    required={props.required}
                    disabled={locked}
                    onClick={event => {
                      // The Back button restores the input's file, but not `file`. Picking it again would fire no change event.
                      if (!file) event.currentTarget.value = '';
                    }}
                    onChange={event => take(event.target.files?.[0] ?? null)}
                  />
                  <span aria-hidden="true">
                    <Icon name="upload" size={18} />
                    {picture ? words.changeImage : words.chooseImage}
                  </span>
                  {!file && <small aria-hidden="true">{words.dropImage}</small>}
                </span>
                {file && (
                  <span className="FileField-name">
                    <span>{file.name}</span>
                    <small>{sizeText(file.size)}</small>
                  </span>
                )}
              </>
            )}
          </div>
          {(sending ? props.onCancel : file || problem) && (
            <button
              type="button"
              className="FileField-remove"
              aria-label={sending ? words.cancelUpload : words.removeImage}
              disabled={disabled}
              onClick={sending ? props.onCancel : remove}
            >
              <Icon name="close" size={16} />
            </button>
          )}
        </div>
      )}
    </Field>
  );
}
