/** Asks for a code, and the password where needed, before the authenticator app or its recovery codes change. */
import { type FormEvent, useId, useState } from 'react';
import * as appMessages from '#contract/messages/app.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { TextField } from '#web/ui/TextField.tsx';
import type { AppFactorProps, Outcome } from './factors.ts';
import * as texts from './factorTexts.ts';
import { PasswordKeypadField } from './PasswordKeypadField.tsx';
import './AppCodeDialog.css';

export type AppCodeDialogProps = Partial<Pick<AppFactorProps, 'passwordKind'>> & {
  title: string;
  text: string;
  label: string;
  submit: string;
  danger?: boolean;
  onClose: () => void;
  /** Without `passwordKind`, the password is empty. */
  onSubmit: (password: string, code: string) => Promise<Outcome<unknown>>;
};

export function AppCodeDialog(props: AppCodeDialogProps) {
  const { title, text, label, submit, danger = false, passwordKind, onClose, onSubmit } = props;
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [errors, setErrors] = useState<{ password?: string; code?: string }>({});
  const [busy, setBusy] = useState(false);
  const formId = useId();
  const change = (set: (value: string) => void) => (value: string) => {
    set(value);
    setErrors({});
  };
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const outcome = await onSubmit(password, code.trim());
    setBusy(false);
    if ('error' in outcome)
      setErrors({ [outcome.code === 'BAD_PASSWORD' ? 'password' : 'code']: outcome.error });
  };
  const field = {
    label: texts.password,
    autoComplete: 'current-password',
    value: password,
    onChange: change(setPassword),
    error: errors.password,
  } as const;
  return (
    <Dialog
      open
      onClose={onClose}
      dismissible={!busy}
      title={title}
      description={text}
      actions={
        <>
          <Button kind="quiet" disabled={busy} onClick={onClose}>
            {appMessages.cancel}
          </Button>
          <Button
            type="submit"
            form={formId}
            kind={danger ? 'danger' : 'primary'}
            busy={busy}
            busyLabel={texts.turningOn}
          >
            {submit}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="AppCodeDialog"
        method="dialog"
        noValidate
        onSubmit={event => void send(event)}
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
      </form>
    </Dialog>
  );
}
