/**
 * A form in a dialog: its fields, why the bank refused, Cancel, and the button that submits. It cannot be closed while `busy`.
 * With `isEdited`, Esc and the scrim ask before they discard what was entered. Cancel does not ask; it reads Close once the
 * form is `over`.
 * Two fields side by side are in an element with the class `FormDialog-pair`.
 */
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import * as appMessages from '#contract/messages/app.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button, type ButtonProps } from '#web/ui/Button.tsx';
import { Dialog, type DialogProps } from '#web/ui/Dialog.tsx';
import { useInView } from '#web/ui/useInView.ts';
import { LeaveDialog } from './LeaveDialog.tsx';
import './FormDialog.css';

/** Why an action failed, or that its result is unknown. */
export type FormFailure = { text: string; isUnknown: boolean };

export type FormDialogProps = Pick<
  DialogProps,
  'open' | 'onClose' | 'title' | 'description' | 'size' | 'initialFocus' | 'finalFocus'
> & {
  children?: ReactNode;
  /** What the form is about, before the description. It stays once the form is over. */
  facts?: ReactNode;
  submitLabel: string;
  kind?: ButtonProps['kind'];
  busy?: boolean;
  busyLabel?: string | undefined;
  /** The button's text while the bank checks something that the person must read first. Until then only Cancel works. */
  checking?: string | false | undefined;
  isEdited?: boolean;
  /** Cancel gets the focus first: for an action that cannot be undone. */
  startsAtCancel?: boolean | undefined;
  /** A sentence under the fields. */
  note?: string | false | undefined;
  /** Why the action failed, or that its result is unknown; empty if it did not fail. */
  failed?: string | FormFailure | undefined;
  /**
   * Why the action can no longer succeed. Shown instead of `failed`; description, note and the button that submits disappear.
   */
  over?: string | false | undefined;
  /** Another button, before the one that submits. */
  other?: ReactNode;
  onSubmit: (form: HTMLFormElement) => unknown;
};

export function FormDialog(props: FormDialogProps) {
  const { open, onClose, title, size, busy = false, startsAtCancel, onSubmit } = props;
  const { checking, isEdited = false } = props;
  // While a press is under way, the form is not over yet: the answer decides.
  const over = !busy && props.over;
  const failed = typeof props.failed === 'object' ? props.failed : { text: props.failed, isUnknown: false };
  const message = over || failed.text;
  const description = over ? undefined : props.description;
  const [asks, setAsks] = useState(false);
  const question = {
    reset: () => setAsks(false),
    proceed: () => {
      setAsks(false);
      onClose();
    },
  };
  const cancel = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The button that had the focus is gone.
    if (over && document.activeElement === document.body) cancel.current?.focus();
  }, [over]);
  const place = useInView(message);
  const formId = useId();
  // The first field gets the focus, not a link above the fields.
  const firstField = {
    get current() {
      return document.getElementById(formId)?.querySelector<HTMLElement>('input, select, textarea') ?? null;
    },
  };
  return (
    <Dialog
      open={open}
      onClose={isEdited && !over ? () => setAsks(true) : onClose}
      size={size}
      dismissible={!busy}
      initialFocus={startsAtCancel ? cancel : (props.initialFocus ?? firstField)}
      finalFocus={props.finalFocus}
      title={title}
      description={
        props.facts ? (
          <>
            {props.facts}
            {description}
          </>
        ) : (
          description
        )
      }
      actions={
        <>
          <Button ref={cancel} kind="quiet" disabled={busy} onClick={onClose}>
            {over ? appMessages.close : appMessages.cancel}
          </Button>
          {props.other}
          {!over && (
            <Button
              type="submit"
              form={formId}
              kind={props.kind ?? 'primary'}
              busy={busy || Boolean(checking)}
              busyLabel={checking || props.busyLabel}
            >
              {props.submitLabel}
            </Button>
          )}
        </>
      }
    >
      <form
        id={formId}
        className="FormDialog"
        noValidate
        onSubmit={event => {
          event.preventDefault();
          if (!over) void onSubmit(event.currentTarget);
        }}
      >
        {props.children}
        {props.note && !over && <p className="type-small">{props.note}</p>}
        {message && (
          <div ref={place} className="FormDialog-message">
            <Banner kind={over ? 'info' : failed.isUnknown ? 'warning' : 'error'} title={message} />
          </div>
        )}
      </form>
      {isEdited && <LeaveDialog blocked={asks ? question : undefined} />}
    </Dialog>
  );
}
