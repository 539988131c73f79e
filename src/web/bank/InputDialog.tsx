/**
 * A dialog with a form: its fields, why the bank refused it, Cancel, and the button that sends it. It cannot be closed while
 * `busy`.
 */
import type { ReactNode } from 'react';
import * as appMessages from '#contract/messages/app.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog, type DialogProps } from '#web/ui/Dialog.tsx';
import './InputDialog.css';

/** Two fields beside each other are in an element with the class `InputDialog-pair`. */
export type InputDialogProps = Pick<DialogProps, 'title' | 'size' | 'finalFocus' | 'onClose'> & {
  children: ReactNode;
  submitLabel: string;
  busy: boolean;
  busyLabel: string;
  /** Why sending failed; empty if it did not. */
  failed: string;
  onSubmit: (form: HTMLFormElement) => unknown;
};

export function InputDialog(props: InputDialogProps) {
  const { title, size, finalFocus, onClose, children, submitLabel, busy, busyLabel, failed, onSubmit } =
    props;
  return (
    <Dialog open {...{ title, size, finalFocus, onClose }} dismissible={!busy}>
      <form
        className="InputDialog"
        noValidate
        onSubmit={event => {
          event.preventDefault();
          void onSubmit(event.currentTarget);
        }}
      >
        {children}
        {failed && <Banner kind="error" title={failed} />}
        <div className="InputDialog-actions">
          <Button kind="quiet" disabled={busy} onClick={onClose}>
            {appMessages.cancel}
          </Button>
          <Button type="submit" busy={busy} busyLabel={busyLabel}>
            {submitLabel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
