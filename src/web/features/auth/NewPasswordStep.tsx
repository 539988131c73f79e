/** Last step of the password reset: the new password, twice, with the login's keypad. The keypad fills the selected field. */
import { type FormEvent, useRef, useState } from 'react';
import { newPassword } from '#contract/fields.ts';
import { fill } from '#contract/messages/fill.ts';
import * as settingsMessages from '#contract/messages/settings.ts';
import { PasswordKeypadField } from '#web/bank/PasswordKeypadField.tsx';
import { PasswordPad } from '#web/bank/PasswordPad.tsx';
import { checkForm, type FieldErrors, focusField } from '#web/base/formRules.ts';
import { Button } from '#web/ui/Button.tsx';
import { forgotText } from './authTexts.ts';
import { BackButton } from './BackButton.tsx';

/** The digits entered so far. */
export type NewDigits = { newPassword: string; repeated: string };

export type NewPasswordStepProps = {
  /** The digits are kept while a refused code is corrected. */
  digits: NewDigits;
  onDigits: (digits: NewDigits) => void;
  busy: boolean;
  onSave: (password: string) => void;
  onBack: () => void;
};

export function NewPasswordStep({ digits, onDigits, busy, onSave, onBack }: NewPasswordStepProps) {
  const [errors, setErrors] = useState<FieldErrors>({});
  const [active, setActive] = useState<keyof NewDigits>('newPassword');
  const form = useRef<HTMLFormElement>(null);
  const write = (name: keyof NewDigits) => (value: string) => {
    onDigits({ ...digits, [name]: value });
    // The mismatch error shows at the second field. A change of either field clears it.
    setErrors(before => ({ ...before, [name]: '', repeated: '' }));
  };
  const field = (name: keyof NewDigits) => ({
    id: name,
    name,
    autoComplete: 'new-password' as const,
    showPad: false,
    active: active === name,
    onFocus: () => setActive(name),
    value: digits[name],
    onChange: write(name),
    error: errors[name],
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { form: password, errors: broken } = checkForm(newPassword, digits.newPassword);
    const differs = digits.repeated !== digits.newPassword;
    if (password && !differs) return onSave(password);
    const wrong = broken ? 'newPassword' : 'repeated';
    setErrors({ [wrong]: broken?.[''] ?? settingsMessages.passwordMismatch });
    focusField(form.current, wrong);
  };

  return (
    <>
      <BackButton onPress={onBack} />
      <p className="type-note">{fill(forgotText.step, { step: 3 })}</p>
      <h1 className="type-title">{forgotText.passwordTitle}</h1>
      <p className="type-small">{forgotText.passwordLead}</p>
      <form ref={form} method="dialog" onSubmit={submit} noValidate>
        <PasswordKeypadField
          {...field('newPassword')}
          label={forgotText.password}
          hint={forgotText.passwordHint}
          autoFocus
        />
        <PasswordKeypadField {...field('repeated')} label={forgotText.repeat} warnGuessable={false} />
        <PasswordPad shared controls={active} value={digits[active]} onChange={write(active)} />
        <Button type="submit" wide busy={busy}>
          {forgotText.save}
        </Button>
      </form>
    </>
  );
}
