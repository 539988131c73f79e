/** Last step of a forgotten password: the new digits, by the same keypad as the login. */
import { type FormEvent, useRef, useState } from 'react';
import { newPassword } from '#contract/fields.ts';
import { fill } from '#contract/messages.ts';
import { checkForm } from '#web/base/formRules.ts';
import { Button } from '#web/ui/Button.tsx';
import { PasswordKeypadField } from '#web/ui/PasswordKeypadField.tsx';
import { forgotText } from './authTexts.ts';
import { BackButton } from './BackButton.tsx';

export type NewPasswordStepProps = {
  /** The digits so far; they are kept while a refused code is typed again. */
  password: string;
  onPassword: (password: string) => void;
  busy: boolean;
  onSave: (password: string) => void;
  onBack: () => void;
};

export function NewPasswordStep({ password, onPassword, busy, onSave, onBack }: NewPasswordStepProps) {
  const [error, setError] = useState('');
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const checked = checkForm(newPassword, password);
    setError(checked.errors?.[''] ?? '');
    if (checked.form) onSave(checked.form);
    else form.current?.querySelector('input')?.focus();
  };

  return (
    <>
      <BackButton onPress={onBack} />
      <p className="type-note">{fill(forgotText.step, { step: 3 })}</p>
      <h1 className="type-title">{forgotText.passwordTitle}</h1>
      <p className="type-small">{forgotText.passwordLead}</p>
      <form ref={form} method="dialog" onSubmit={submit} noValidate>
        <PasswordKeypadField
          label={forgotText.password}
          name="newPassword"
          autoComplete="new-password"
          autoFocus
          value={password}
          onChange={digits => {
            onPassword(digits);
            setError('');
          }}
          error={error}
        />
        <Button type="submit" wide busy={busy}>
          {forgotText.save}
        </Button>
      </form>
    </>
  );
}
