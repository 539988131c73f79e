/** Asks for confirmation before another session, or all other sessions, are ended. */
import { type RefObject, useState } from 'react';
import { dayAndTime } from '#contract/bankTime.ts';
import type { ActiveSession } from '#contract/entities.ts';
import * as appMessages from '#contract/messages/app.ts';
import { fill } from '#contract/messages/fill.ts';
import type { Acts } from '#web/base/useActs.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { useLastKnown } from '#web/ui/useLastKnown.ts';
import { useEndOtherSessionsMutation, useEndSessionMutation } from './settingsCalls.ts';
import { words } from './words.ts';

export type EndSessionDialogProps = {
  /** The session to end, or all others; the dialog is open while it is set. */
  ending: ActiveSession | 'others' | undefined;
  /** Gets the focus after a session has ended, because the button that opened the dialog disappears. */
  title: RefObject<HTMLElement | null>;
  onClose: () => void;
  /** The acts on the list of sessions. */
  acts: Pick<Acts<{ sessions: ActiveSession[] }>, 'act' | 'busy'>;
};

const texts = words.sessions;

export function EndSessionDialog({ ending, title, onClose, acts }: EndSessionDialogProps) {
  const [endOne] = useEndSessionMutation();
  const [endOthers] = useEndOtherSessionsMutation();
  const shown = useLastKnown(ending);
  const busy = acts.busy !== undefined;
  const [hasEnded, setHasEnded] = useState(false);
  const all = shown === 'others';

  const close = (ended: boolean) => {
    setHasEnded(ended);
    onClose();
  };
  const confirm = async () => {
    if (!ending) return;
    const ends = ({ _id, isCurrent }: ActiveSession) =>
      ending === 'others' ? !isCurrent : _id === ending._id;
    const { hasWorked } = await acts.act(
      'end',
      () => (ending === 'others' ? endOthers() : endOne({ params: { id: ending._id } })),
      now => now.sessions.some(ends),
    );
    close(hasWorked);
  };
  return (
    <Dialog
      open={ending !== undefined}
      onClose={() => close(false)}
      finalFocus={hasEnded ? title : undefined}
      dismissible={!busy}
      title={all ? texts.endOthersTitle : texts.endTitle}
      description={
        all || !shown
          ? texts.endOthersText
          : fill(texts.endText, {
              device: shown.device,
              address: shown.address,
              when: dayAndTime(shown.startedAt),
            })
      }
      actions={
        <>
          <Button kind="quiet" disabled={busy} onClick={() => close(false)}>
            {appMessages.cancel}
          </Button>
          <Button kind="danger" busy={busy} busyLabel={texts.ending} onClick={() => void confirm()}>
            {all ? texts.endOthers : texts.end}
          </Button>
        </>
      }
    />
  );
}
