/** Asks for a code, and the password where needed, before the authenticator app or its recovery codes change. */
import { type RefObject, useState } from 'react';
import { TextField } from '#web/ui/TextField.tsx';
import { useFinalFocus } from '#web/ui/useFinalFocus.ts';
import { FormDialog } from './FormDialog.tsx';
import { type AppFactorProps, codeError, type Outcome } from './factors.ts';
import * as texts from './factorTexts.ts';
import { PasswordKeypadField } from './PasswordKeypadField.tsx';

export type AppCodeDialogProps = Partial<Pick<AppFactorProps, 'passwordKind'>> & {
  title: string;
  text: string;
  label: string;
  submit: string;
  danger?: boolean;
  /** Gets the focus after the change if the button that opened the dialog disappears. */
  heading?: RefObject<HTMLElement | null>;
  onClose: () => void;
  /** Without `passwordKind`, the password is empty. */
  onSubmit: (password: string, code: string) => Promise<Outcome<unknown>>;
};

const nothing = { current: null };

export function AppCodeDialog(props: AppCodeDialogProps) {
  const { title, text, label, submit, danger = false, heading, passwordKind, onClose, onSubmit } = props;
  const { finalFocus, openerGoes } = useFinalFocus(heading ?? nothing);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [errors, setErrors] = useState<{ password?: string; code?: string; unknown?: string }>({});
  const [busy, setBusy] = useState(false);
  const change = (set: (value: string) => void) => (value: string) => {
    set(value);
    setErrors({});
  };
  const send = async () => {
    setBusy(true);
    const outcome = await onSubmit(password, code.trim());
    if ('data' in outcome) openerGoes();
    setBusy(false);
    if (!('error' in outcome)) return;
    const { code: refusal, error, isUnknown } = outcome;
    if (isUnknown) setErrors({ unknown: error });
    else setErrors(refusal === 'BAD_PASSWORD' ? { password: error } : { code: codeError(error) });
  };
  const field = {
    label: texts.password,
    autoComplete: 'current-password',
    value: password,
    onChange: change(setPassword),
    error: errors.password,
  } as const;
  return (
    <FormDialog
      open
      onClose={onClose}
      finalFocus={heading && finalFocus}
      title={title}
      description={text}
      kind={danger ? 'danger' : 'primary'}
      submitLabel={submit}
      busy={busy}
      busyLabel={texts.turningOn}
      failed={errors.unknown && { text: errors.unknown, isUnknown: true }}
      onSubmit={send}
    >
      {passwordKind === 'digits' && <PasswordKeypadField {...field} name="password" />}
      {passwordKind === 'text' && <TextField {...field} type="password" />}
      <TextField
        label={label}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        value={code}
        onChange={change(setCode)}
        error={errors.code}
      />
    </FormDialog>
  );
}
