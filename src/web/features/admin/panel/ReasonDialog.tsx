/** Asks for confirmation and a reason before an act. Suggested reasons fill the field and can be edited. */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { maxLength } from '#contract/constants.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { FormDialog, type FormDialogProps } from '#web/bank/FormDialog.tsx';
import { Button } from '#web/ui/Button.tsx';
import { TextAreaField } from '#web/ui/TextAreaField.tsx';
import { words } from '../words.ts';
import type { Failure } from './actRefusalText.ts';
import './ReasonDialog.css';

export type ReasonDialogProps = {
  open: boolean;
  title: string;
  /** What will happen. */
  children: ReactNode;
  facts?: FormDialogProps['facts'];
  /** Shown above the reason. */
  warning?: ReactNode;
  /** Who reads the reason. */
  hint: string;
  isOptional?: boolean;
  /** The act waits for a second person, who then reads the reason. */
  needsSecond?: boolean;
  suggestions?: readonly string[];
  confirmLabel: string;
  busyLabel?: string;
  checking?: FormDialogProps['checking'];
  kind?: 'primary' | 'danger' | undefined;
  /** Cancel gets the focus first: for an act that cannot be undone. */
  startsAtCancel?: boolean;
  over?: FormDialogProps['over'];
  finalFocus?: FormDialogProps['finalFocus'];
  /** Resolves to the reason why the act failed; the dialog then stays open and shows it. */
  onConfirm: (reason: string) => Promise<Failure | undefined>;
  onClose: () => void;
};

export function ReasonDialog(props: ReasonDialogProps) {
  const { open, isOptional = false, needsSecond = false, suggestions = [], onConfirm } = props;
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const [busy, setBusy] = useState(false);
  const over = !busy && (props.over || (failure?.isOver && failure.text));
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (!open) return;
    setReason('');
    setMissing(false);
    setFailure(undefined);
  }, [open]);

  const confirm = async () => {
    const given = reason.trim();
    if (!given && !isOptional) {
      setMissing(true);
      field.current?.focus();
      return;
    }
    setBusy(true);
    setFailure(undefined);
    setFailure(await onConfirm(given));
    setBusy(false);
  };

  return (
    <FormDialog
      open={open}
      onClose={props.onClose}
      size="m"
      startsAtCancel={props.startsAtCancel}
      initialFocus={field}
      finalFocus={props.finalFocus}
      title={props.title}
      facts={props.facts}
      description={props.children}
      kind={props.kind}
      submitLabel={props.confirmLabel}
      busy={busy}
      busyLabel={props.busyLabel}
      checking={props.checking}
      note={needsSecond && words.needsSecond}
      failed={failure}
      isEdited={reason.trim() !== ''}
      over={over}
      onSubmit={confirm}
    >
      {props.warning}
      {suggestions.length > 0 && !over && (
        <ul className="ReasonDialog-suggestions" aria-label={words.suggestedReasons}>
          {suggestions.map(text => (
            <li key={text}>
              <Button
                kind="quiet"
                size="s"
                onClick={() => {
                  setReason(before =>
                    before.includes(text) ? before : `${before} ${text}`.trim().slice(0, maxLength.reason),
                  );
                  setMissing(false);
                  field.current?.focus();
                }}
              >
                {text}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <TextAreaField
        ref={field}
        label={words.reason}
        optional={isOptional ? words.optional : undefined}
        hint={needsSecond ? words.secondHint : props.hint}
        rows={3}
        maxLength={maxLength.reason}
        value={reason}
        onChange={setReason}
        error={missing && !reason.trim() ? staffMessages.reason : undefined}
      />
    </FormDialog>
  );
}
