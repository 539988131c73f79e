/** First step of the login: email and password, or passkey. Validation errors show at their field, refusals in the notice. */
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import type { LoggedInCustomer } from '#contract/auth.ts';
import * as authMessages from '#contract/messages/auth.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import { logInWithPasskey } from '#web/bank/factorTexts.ts';
import { PasswordKeypadField } from '#web/bank/PasswordKeypadField.tsx';
import { type FieldErrors, focusField } from '#web/base/formRules.ts';
import { useAppDispatch } from '#web/base/store.ts';
import { useEarlyInput } from '#web/base/useEarlyInput.ts';
import { usePasskeyLogin } from '#web/base/usePasskeyLogin.ts';
import { WhenHydrated } from '#web/base/WhenHydrated.tsx';
import { Link } from '#web/router/Link.tsx';
import { Button } from '#web/ui/Button.tsx';
import { loginText } from './authTexts.ts';
import { EmailField } from './EmailField.tsx';
import { fetchLoginParts, prepareLogin } from './laterLogin.ts';
import type { LoginAnswer } from './loginParts.ts';
import { isRejectedInput, refusalText } from './refusalText.ts';

export type PasswordStepProps = {
  /** The email of an earlier login attempt, registration or reset. */
  knownEmail: string;
  /** The person came back from the code step, so the element that had the focus is gone. */
  isBack: boolean;
  onAccepted: (email: string, usesApp: boolean) => void;
  onEnter: (customer: LoggedInCustomer) => void;
  onRefused: (message: string) => void;
  /** The history state for the link 'Forgot your password?', so that the login after the reset leads to the requested path. */
  resetState: { wanted: string } | null;
  banner: ReactNode;
};

export function PasswordStep({
  knownEmail,
  isBack,
  onAccepted,
  onEnter,
  onRefused,
  resetState,
  banner,
}: PasswordStepProps) {
  const [email, setEmail] = useState(knownEmail);
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<FieldErrors>({});
  const [isSending, setSending] = useState(false);
  const dispatch = useAppDispatch();
  const passkey = usePasskeyLogin({
    getOptions: async () => (await fetchLoginParts()).getPasskeyOptions(dispatch),
    logIn: async call => (await fetchLoginParts()).sendPasskey(dispatch, call),
    onEnter,
    onRefused: error => onRefused(refusalText(error, authMessages.loginFailed)),
  });
  const form = useEarlyInput(entered => {
    void prepareLogin();
    if (entered.email) setEmail(entered.email);
    if (entered.password) setPassword(entered.password);
  });

  useEffect(() => {
    if (knownEmail) setEmail(typed => typed || knownEmail);
  }, [knownEmail]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the step appears
  useEffect(() => {
    if (isBack) focusField(form.current, knownEmail ? 'password' : 'email');
  }, []);

  const write = (name: 'email' | 'password', set: (value: string) => void) => (value: string) => {
    void prepareLogin();
    set(value);
    setErrors(before => ({ ...before, [name]: '' }));
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setSending(true);
    // If the script cannot be fetched, nothing is sent.
    const answer: LoginAnswer = await fetchLoginParts().then(
      ({ sendLogin }) => sendLogin(dispatch, { email, password }),
      () => ({ errors: { password: errorMessages.network } }),
    );
    setSending(false);
    setErrors(answer.errors ?? {});
    if (answer.errors) return focusField(form.current, answer.errors.email ? 'email' : 'password');
    if (answer.email !== undefined) return onAccepted(answer.email, answer.usesApp === true);
    // Masked digits cannot be corrected, only retyped. Closing the notice returns the focus to the field.
    if (isRejectedInput(answer.refusal)) setPassword('');
    focusField(form.current, 'password');
    onRefused(refusalText(answer.refusal, authMessages.loginFailed));
  };

  return (
    <>
      <h1 className="type-title">{loginText.title}</h1>
      <p className="type-small">{loginText.lead}</p>
      {banner}
      <form ref={form} method="dialog" onSubmit={submit} noValidate>
        <EmailField
          value={email}
          onChange={write('email', setEmail)}
          error={errors.email}
          offersPasskeys
          onFocus={passkey.suggest}
        />
        <WhenHydrated className="AuthPage-fields">
          <PasswordKeypadField
            label={loginText.password}
            name="password"
            autoComplete="current-password"
            value={password}
            onChange={write('password', setPassword)}
            error={errors.password}
            aside={
              <Link className="link" to="/forgot-password" state={{ ...resetState, email }}>
                {authMessages.forgotLink}
              </Link>
            }
          />
          <Button type="submit" wide busy={isSending}>
            {authMessages.login}
          </Button>
          <Button kind="quiet" wide icon="lock" busy={passkey.busy} onClick={() => void passkey.ask()}>
            {logInWithPasskey}
          </Button>
        </WhenHydrated>
      </form>
    </>
  );
}
