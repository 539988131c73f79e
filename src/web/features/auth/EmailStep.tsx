/** First step of the password reset: enter the account's email. */
import { type FormEvent, useEffect, useState } from 'react';
import { authApi } from '#contract/auth.ts';
import { fill } from '#contract/messages/fill.ts';
import { checkForm, focusField } from '#web/base/formRules.ts';
import { useEarlyInput } from '#web/base/useEarlyInput.ts';
import { WhenHydrated } from '#web/base/WhenHydrated.tsx';
import { Button } from '#web/ui/Button.tsx';
import { forgotText } from './authTexts.ts';
import { EmailField } from './EmailField.tsx';

export type EmailStepProps = {
  email: string;
  busy: boolean;
  onEdit: () => void;
  onSend: (email: string) => void;
};

export function EmailStep({ email: known, busy, onEdit, onSend }: EmailStepProps) {
  const [email, setEmail] = useState(known);
  const [error, setError] = useState('');
  useEffect(() => {
    if (known) setEmail(typed => typed || known);
  }, [known]);
  const form = useEarlyInput(entered => entered.email && setEmail(entered.email));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const checked = checkForm(authApi.forgotPassword.body, { email });
    setError(checked.errors?.email ?? '');
    if (checked.form) return onSend(checked.form.email);
    focusField(form.current, 'email');
  };

  return (
    <>
      <p className="type-note">{fill(forgotText.step, { step: 1 })}</p>
      <h1 className="type-title">{forgotText.title}</h1>
      <p className="type-small">{forgotText.lead}</p>
      <form ref={form} method="dialog" onSubmit={submit} noValidate>
        <EmailField
          value={email}
          onChange={value => {
            setEmail(value);
            setError('');
            onEdit();
          }}
          error={error}
        />
        <WhenHydrated>
          <Button type="submit" wide busy={busy}>
            {forgotText.send}
          </Button>
        </WhenHydrated>
      </form>
    </>
  );
}
