/** A customer's ID document: its state, a link to view it, and the upload of a new picture. */
import { fill } from '#contract/messages/fill.ts';
import { Badge, type BadgeKind } from '#web/ui/Badge.tsx';
import { Icon } from '#web/ui/Icon.tsx';
import { PictureUpload, type PictureUploadProps } from './PictureUpload.tsx';
import * as words from './words.ts';
import './IdDocument.css';

export type IdDocumentState = 'none' | 'waiting' | 'requested' | 'verified';

export type IdDocumentProps = {
  state: IdDocumentState;
  /** Why the bank asks for a picture, or for a better one. */
  reason?: string | undefined;
  /** Opens the uploaded document; undefined if it cannot be viewed. */
  onLook: (() => void) | undefined;
  /** The last attempt to view it failed. */
  lookFailed: boolean;
  upload: PictureUploadProps['upload'];
  /** No upload is possible now. */
  disabled?: boolean | undefined;
};

const states: Record<IdDocumentState, { kind: BadgeKind; label: string; text: string }> = {
  none: { kind: 'neutral', label: words.idNone, text: words.idNoneText },
  waiting: { kind: 'pending', label: words.idWaiting, text: words.idWaitingText },
  requested: { kind: 'neutral', label: words.idRequested, text: words.idRequestedText },
  verified: { kind: 'verified', label: words.idVerified, text: words.idVerifiedText },
};

export function IdDocument({ state, reason, onLook, lookFailed, upload, disabled }: IdDocumentProps) {
  const { kind, label, text: usual } = states[state];
  const text = state === 'none' && reason !== undefined ? words.idFirstRequestedText : usual;
  return (
    <div className="IdDocument">
      <div className="IdDocument-state">
        <Badge kind={kind}>{label}</Badge>
        {state !== 'none' && onLook && (
          <button type="button" className="link" onClick={onLook}>
            {words.viewId}
            <Icon name="external" size={16} />
          </button>
        )}
        <p>{reason === undefined ? text : fill(text, { reason })}</p>
        <p role="status" className="IdDocument-failed">
          {lookFailed && words.viewIdFailed}
        </p>
      </div>
      <PictureUpload
        label={state === 'none' ? words.idPicture : words.newerIdPicture}
        hint={words.idPictureHint}
        shape="sheet"
        upload={upload}
        disabled={disabled}
      />
    </div>
  );
}
