/** The question before a customer leaves a form with unsaved changes. */
import type { RouterState } from '#web/router/router.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import type { LeaveGuardProps } from './LeaveGuard.tsx';
import * as words from './words.ts';

type LeaveDialogProps = Pick<LeaveGuardProps, 'asks'> & Pick<RouterState, 'blocked'>;

/** `blocked` is the navigation that waits for the answer. */
export function LeaveDialog({ blocked, asks = 'unsaved' }: LeaveDialogProps) {
  const { title, go } = words.leave[asks];
  return (
    <Dialog
      open={blocked !== undefined}
      onClose={() => blocked?.reset()}
      title={title}
      description={words.leaveLoses}
      actions={
        <>
          <Button onClick={() => blocked?.reset()}>{words.leaveStay}</Button>
          <Button kind="quiet" onClick={() => blocked?.proceed()}>
            {go}
          </Button>
        </>
      }
    />
  );
}
