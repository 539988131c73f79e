/**
 * Second step of the login: enter the emailed code, or request another one after the cooldown. A customer with an authenticator
 * app enters its code or a recovery code.
 */
import { type FormEvent, useId, useRef, useState } from 'react';
import { authApi, type LoggedInCustomer } from '#contract/auth.ts';
import { code } from '#contract/constants.ts';
import * as authMessages from '#contract/messages/auth.ts';
import * as navMessages from '#contract/messages/nav.ts';
import * as texts from '#web/bank/factorTexts.ts';
import { checkForm } from '#web/base/formRules.ts';
import { helpDeskAddress } from '#web/base/helpDesk.ts';
import { Link } from '#web/router/Link.tsx';
import { Button } from '#web/ui/Button.tsx';
import { CodeBoxes } from '#web/ui/CodeBoxes.tsx';
import { focusEmptyBox } from '#web/ui/focusEmptyBox.ts';
import { TextField } from '#web/ui/TextField.tsx';
import { useResendCodeMutation, useVerifyCodeMutation } from './authCalls.ts';
import { codeText } from './authTexts.ts';
import { BackButton } from './BackButton.tsx';
import { CodeSentTo } from './CodeSentTo.tsx';
import { ResendCode } from './ResendCode.tsx';
import { isRejectedInput, refusalText } from './refusalText.ts';

export type CodeStepProps = {
  email: string;
  /** When the last code was requested, in milliseconds since 1970. */
  sentAtMs: number;
  /** The code comes from the customer's app, so none was mailed. */
  usesApp: boolean;
  onResent: () => void;
  onEnter: (customer: LoggedInCustomer) => void;
  /** `advice` says what to do about a wrong code. */
  onRefused: (message: string, advice?: string) => void;
  onBack: () => void;
};

export function CodeStep({ email, sentAtMs, usesApp, onResent, onEnter, onRefused, onBack }: CodeStepProps) {
  const [otp, setOtp] = useState('');
  const [usesRecovery, setUsesRecovery] = useState(false);
  const [error, setError] = useState('');
  const sentToId = useId();
  const [verify, { isLoading, isSuccess }] = useVerifyCodeMutation();
  const [resend] = useResendCodeMutation();
  const form = useRef<HTMLFormElement>(null);

  const title = usesRecovery ? texts.recoveryTitle : usesApp ? texts.enterCodeTitle : codeText.title;
  const write = (typed: string) => {
    setOtp(typed);
    setError('');
  };
  const startOver = () => {
    setOtp('');
    form.current?.querySelector('input')?.focus();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const checked = checkForm(authApi.verifyCode.body, { email, otp });
    setError(checked.errors ? (usesRecovery ? authMessages.badCode : codeText.incomplete) : '');
    if (checked.errors) return focusEmptyBox(form.current);
    const answer = await verify({ body: checked.form });
    if (answer.data) return onEnter(answer.data.data);
    // A code that the bank did not check may still be right.
    const isRejected = isRejectedInput(answer.error);
    if (isRejected) startOver();
    onRefused(
      refusalText(answer.error, authMessages.verifyFailed),
      isRejected && !usesRecovery ? (usesApp ? texts.wrongAppCode : codeText.wrongCode) : undefined,
    );
  };

  return (
    <>
      <BackButton onPress={onBack} />
      <h1 className="type-title">{title}</h1>
      {usesApp ? (
        <p id={sentToId} className="type-small">
          {usesRecovery ? texts.recoveryText : texts.enterCode}
        </p>
      ) : (
        <CodeSentTo id={sentToId} email={email} said={authMessages.codeSent} />
      )}
      <form ref={form} method="dialog" onSubmit={submit} noValidate>
        {usesRecovery ? (
          <TextField
            key="recovery"
            label={texts.recoveryCode}
            name="otp"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            value={otp}
            onChange={write}
            error={error}
          />
        ) : (
          <CodeBoxes
            legend={codeText.legend}
            length={code.length}
            boxLabel={codeText.box}
            describedBy={sentToId}
            value={otp}
            onChange={write}
            error={error}
            autoFocus
          />
        )}
        <Button type="submit" wide busy={isLoading} disabled={isSuccess}>
          {authMessages.verifyOtp}
        </Button>
        {usesApp ? (
          <>
            <Button
              kind="text"
              onClick={() => {
                setUsesRecovery(!usesRecovery);
                write('');
              }}
            >
              {usesRecovery ? texts.useApp : texts.useRecovery}
            </Button>
            <p className="type-small">
              {texts.lostAll}{' '}
              <Link className="link" to={helpDeskAddress(texts.lostAllSubject)}>
                {navMessages.askHelpDesk}
              </Link>
            </p>
          </>
        ) : (
          <ResendCode
            sentAtMs={sentAtMs}
            done={authMessages.codeResent}
            onResend={async () => {
              const answer = await resend({ body: { email } });
              if (answer.data) {
                onResent();
                startOver();
                setError('');
              }
              return answer;
            }}
          />
        )}
      </form>
    </>
  );
}
