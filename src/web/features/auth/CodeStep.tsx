/** Second step of the login: the mailed code, and asking for another one once the cooldown is over. */
import { type FormEvent, useRef, useState } from 'react';
import { authApi, type LoggedInCustomer } from '#contract/auth.ts';
import { messages } from '#contract/messages.ts';
import { checkForm } from '#web/base/formRules.ts';
import { loginAbandoned } from '#web/base/session.ts';
import { useAppDispatch } from '#web/base/store.ts';
import { Button } from '#web/ui/Button.tsx';
import { CodeBoxes } from '#web/ui/CodeBoxes.tsx';
import { useResendCodeMutation, useVerifyCodeMutation } from './authCalls.ts';
import { codeText } from './authTexts.ts';
import { BackButton } from './BackButton.tsx';
import { CodeSentTo } from './CodeSentTo.tsx';
import { ResendCode } from './ResendCode.tsx';
import { refusalText } from './refusalText.ts';

export type CodeStepProps = {
  email: string;
  onEnter: (customer: LoggedInCustomer) => void;
  onRefused: (message: string) => void;
};

export function CodeStep({ email, onEnter, onRefused }: CodeStepProps) {
  const [otp, setOtp] = useState('');
  const [error, setError] = useState('');
  const [verify, { isLoading, isSuccess }] = useVerifyCodeMutation();
  const [resend] = useResendCodeMutation();
  const dispatch = useAppDispatch();
  const form = useRef<HTMLFormElement>(null);

  const startOver = () => {
    setOtp('');
    form.current?.querySelector('input')?.focus();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const checked = checkForm(authApi.verifyCode.body, { email, otp });
    setError(checked.errors ? codeText.incomplete : '');
    if (checked.errors) return;
    const answer = await verify({ body: checked.form });
    if (answer.data) return onEnter(answer.data.data);
    startOver();
    onRefused(refusalText(answer.error, messages.auth.verifyFailed));
  };

  return (
    <>
      <BackButton onPress={() => dispatch(loginAbandoned())} />
      <h1 className="type-title">{codeText.title}</h1>
      <CodeSentTo email={email} said={messages.auth.codeSent} />
      <form ref={form} method="dialog" onSubmit={submit} noValidate>
        <CodeBoxes legend={codeText.legend} value={otp} onChange={setOtp} error={error} autoFocus />
        <Button type="submit" wide busy={isLoading} disabled={isSuccess}>
          {messages.auth.verifyOtp}
        </Button>
        <ResendCode
          onResend={async () => {
            const answer = await resend({ body: { email } });
            if (answer.data) startOver();
            return answer;
          }}
        />
      </form>
    </>
  );
}
