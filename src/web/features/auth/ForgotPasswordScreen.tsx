/** The way back in without a password: e-mail, mailed code, new digits. The first answer is the same for every e-mail. */
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { messages } from '#contract/messages.ts';
import type { CallError } from '#web/base/callError.ts';
import { ResultDialog } from '#web/ui/ResultDialog.tsx';
import { useForgotPasswordMutation, useResetPasswordMutation } from './authCalls.ts';
import { forgotText } from './authTexts.ts';
import { Door } from './Door.tsx';
import { EmailStep } from './EmailStep.tsx';
import { NewPasswordStep } from './NewPasswordStep.tsx';
import { ResetCodeStep } from './ResetCodeStep.tsx';
import { refusalText } from './refusalText.ts';

type Step = 'email' | 'code' | 'password';
type Result = { kind: 'success' | 'error'; title: string; message: string };

export function ForgotPasswordScreen() {
  const navigate = useNavigate();
  const [step, setStep] = useState<Step>('email');
  const [email, setEmail] = useState('');
  const [otp, setOtp] = useState('');
  const [result, setResult] = useState<Result | null>(null);
  const [shown, setShown] = useState(false);
  const [ask, asking] = useForgotPasswordMutation();
  const [reset, resetting] = useResetPasswordMutation();

  const tell = (next: Result) => {
    setResult(next);
    setShown(true);
  };
  const refuse = (error: unknown) =>
    tell({
      kind: 'error',
      title: forgotText.failedTitle,
      message: refusalText(error, messages.errors.fault),
    });

  const sendCode = async (to: string) => {
    const { error } = await ask({ body: { email: to } });
    if (error) return refuse(error);
    setEmail(to);
    setStep('code');
  };
  const save = async (newPassword: string) => {
    const { data, error } = await reset({ body: { email, otp, newPassword } });
    if (data) return tell({ kind: 'success', title: forgotText.doneTitle, message: messages.auth.resetDone });
    // The server looks at code and digits together; a wrong code is mended where it was typed.
    if ((error as CallError).code === 'BAD_CODE') {
      setOtp('');
      setStep('code');
    }
    refuse(error);
  };
  const close = () => {
    setShown(false);
    if (result?.kind === 'success') void navigate('/login', { state: { say: messages.auth.resetDone } });
  };

  return (
    <Door quote={forgotText.quote} promise={forgotText.promise} foot={<Remembered />}>
      {step === 'email' && <EmailStep email={email} busy={asking.isLoading} onSend={sendCode} />}
      {step === 'code' && (
        <ResetCodeStep
          email={email}
          otp={otp}
          onOtp={setOtp}
          onProceed={() => setStep('password')}
          onBack={() => setStep('email')}
          onResend={() => ask({ body: { email } })}
        />
      )}
      {step === 'password' && (
        <NewPasswordStep busy={resetting.isLoading} onSave={save} onBack={() => setStep('code')} />
      )}
      <ResultDialog
        open={shown}
        onClose={close}
        kind={result?.kind ?? 'error'}
        title={result?.title ?? ''}
        message={result?.message ?? ''}
        closeLabel={result?.kind === 'success' ? messages.register.proceed : messages.app.close}
      />
    </Door>
  );
}

function Remembered() {
  return (
    <>
      {forgotText.remembered}{' '}
      <Link className="link" to="/login">
        {messages.auth.login}
      </Link>
    </>
  );
}
