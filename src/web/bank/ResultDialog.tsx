/** The result of a request: a transfer's receipt, a registration, a credit. Seal, title, message, amount, slip, buttons. */
import { type ReactNode, type RefObject, useRef } from 'react';
import * as appMessages from '#contract/messages/app.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Seal, type SealKind } from '#web/ui/Seal.tsx';
import { Slip, type SlipRows } from '#web/ui/Slip.tsx';
import { Money } from './Money.tsx';
import './ResultDialog.css';

export type ResultDialogProps = {
  open: boolean;
  onClose: () => void;
  kind: SealKind;
  title: string;
  message: ReactNode;
  /** A second, muted line: whether money moved, what comes next. */
  subtitle?: ReactNode;
  /** The amount in dollars, as in the API response; shown large with the double rule. */
  amountDollars?: number | undefined;
  rows?: SlipRows | undefined;
  closeLabel?: string | undefined;
  /** A second action under the close button: a text button or link. */
  action?: ReactNode;
  /** Further actions on the result. They scroll with it, so that they do not cover the slip on a small screen. */
  more?: ReactNode;
  /** The answers to a question. They replace the close button and `action`. */
  answers?: ReactNode;
  /** Gets the focus on opening instead of the first button. */
  initialFocus?: RefObject<HTMLElement | null> | undefined;
  /** Gets the focus on closing instead of the previously focused element. */
  finalFocus?: RefObject<HTMLElement | null> | undefined;
};

export function ResultDialog(props: ResultDialogProps) {
  const {
    open,
    onClose,
    kind,
    title,
    message,
    subtitle,
    amountDollars,
    rows = [],
    action,
    more,
    answers,
  } = props;
  const { closeLabel = appMessages.close } = props;
  const close = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      initialFocus={props.initialFocus ?? (more ? close : undefined)}
      finalFocus={props.finalFocus}
      className="ResultDialog"
      top={<Seal kind={kind} />}
      title={title}
      description={message}
      actions={
        answers ?? (
          <>
            <Button ref={close} wide onClick={onClose}>
              {closeLabel}
            </Button>
            {action}
          </>
        )
      }
    >
      {subtitle && <p className="ResultDialog-subtitle">{subtitle}</p>}
      {amountDollars !== undefined && (
        <p className="ResultDialog-amount">
          <Money dollars={amountDollars} form="receipt" ruled />
        </p>
      )}
      {rows.length > 0 && <Slip rows={rows} />}
      {more && <div className="ResultDialog-more">{more}</div>}
    </Dialog>
  );
}
