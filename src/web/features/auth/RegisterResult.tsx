/**
 * The result of a registration. Success leads to the login, or home if the dialog is closed; a failure leaves the form
 * unchanged.
 */
import type { RefObject } from 'react';
import * as appMessages from '#contract/messages/app.ts';
import * as registerMessages from '#contract/messages/register.ts';
import { ResultDialog } from '#web/bank/ResultDialog.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Seal } from '#web/ui/Seal.tsx';

export type RegisterResultProps = {
  open: boolean;
  ok: boolean;
  title: string;
  message: string;
  onClose: () => void;
  /** The field that the failure is about. */
  finalFocus: RefObject<HTMLElement | null>;
  onProceed: () => void;
};

export function RegisterResult(props: RegisterResultProps) {
  const { open, ok, title, message, onClose, onProceed, finalFocus } = props;
  if (!ok) return <ResultDialog kind="error" {...{ open, onClose, title, message, finalFocus }} />;
  // The first button continues to the login and the last one closes, the reverse of the bank's other dialogs.
  return (
    <Dialog
      open={open}
      onClose={onClose}
      className="ResultDialog"
      top={<Seal kind="success" />}
      title={title}
      description={message}
      actions={
        <>
          <Button wide onClick={onProceed}>
            {registerMessages.proceed}
          </Button>
          <Button wide kind="text" onClick={onClose}>
            {appMessages.close}
          </Button>
        </>
      }
    />
  );
}
