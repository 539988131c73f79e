/** A customer's ID document: how it stands, a look at what was handed in, and a new picture of it. */
import * as dashboardMessages from '#contract/messages/dashboard.ts';
import { Badge, type BadgeKind } from '#web/ui/Badge.tsx';
import { Icon } from '#web/ui/Icon.tsx';
import { PictureUpload, type PictureUploadProps } from '#web/ui/PictureUpload.tsx';
import { words } from '#web/ui/words.ts';
import './IdDocument.css';

export type IdDocumentState = 'none' | 'waiting' | 'verified';

export type IdDocumentProps = {
  state: IdDocumentState;
  /** Opens what was handed in. */
  onLook: () => void;
  /** The last look found nothing. */
  lookFailed: boolean;
  upload: PictureUploadProps['upload'];
  /** Nothing can be handed in now. */
  disabled?: boolean | undefined;
};

const texts = words.idDocument;
const badges: Record<IdDocumentState, { kind: BadgeKind; label: string }> = {
  none: { kind: 'neutral', label: texts.none },
  waiting: { kind: 'pending', label: texts.waiting },
  verified: { kind: 'verified', label: dashboardMessages.verified },
};

export function IdDocument({ state, onLook, lookFailed, upload, disabled }: IdDocumentProps) {
  const badge = badges[state];
  return (
    <div className="IdDocument">
      <div className="IdDocument-state">
        <Badge kind={badge.kind}>{badge.label}</Badge>
        {state !== 'none' && (
          <button type="button" className="link" onClick={onLook}>
            {texts.look}
            <Icon name="external" size={16} />
          </button>
        )}
        <p>{texts.explained[state]}</p>
        <p role="status" className="IdDocument-failed">
          {lookFailed && texts.lookFailed}
        </p>
      </div>
      <PictureUpload
        label={state === 'none' ? texts.label : texts.labelAgain}
        hint={texts.hint}
        shape="sheet"
        upload={upload}
        disabled={disabled}
      />
    </div>
  );
}
