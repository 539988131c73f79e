/** The question before a customer leaves a form with unsaved changes. */
import type { RouterState } from '#web/router/router.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import * as words from './words.ts';

/** `blocked` is the navigation that waits for the answer. */
export function LeaveDialog({ blocked }: Pick<RouterState, 'blocked'>) {
  return (
    <Dialog
      open={blocked !== undefined}
      onClose={() => blocked?.reset()}
      title={words.leaveTitle}
      description={words.leaveText}
      actions={
        <>
          <Button onClick={() => blocked?.reset()}>{words.leaveStay}</Button>
          <Button kind="quiet" onClick={() => blocked?.proceed()}>
            {words.leaveGo}
          </Button>
        </>
      }
    />
  );
}
