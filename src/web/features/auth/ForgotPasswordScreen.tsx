/** The way back in without a password: e-mail, mailed code, new digits. The first answer is the same for every e-mail. */
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { oneTimeCode } from '#contract/fields.ts';
import { messages } from '#contract/messages.ts';
import { type CallError, isUncertain } from '#web/base/callError.ts';
import { checkForm } from '#web/base/formRules.ts';
import { loggedOut, selectCustomer } from '#web/base/session.ts';
import { useAppDispatch, useAppSelector } from '#web/base/store.ts';
import { ResultDialog } from '#web/ui/ResultDialog.tsx';
import { useForgotPasswordMutation, useResetPasswordMutation } from './authCalls.ts';
import { forgotText, unsureTitle } from './authTexts.ts';
import { Door } from './Door.tsx';
import { EmailStep } from './EmailStep.tsx';
import { NewPasswordStep } from './NewPasswordStep.tsx';
import { ResetCodeStep } from './ResetCodeStep.tsx';
import { refusalText } from './refusalText.ts';
import { useSteps } from './useSteps.ts';

type Step = 'email' | 'code' | 'password';
type Result = { kind: 'success' | 'error'; title: string; message: string };

export function ForgotPasswordScreen() {
  const navigate = useNavigate();
  const customer = useAppSelector(selectCustomer);
  const dispatch = useAppDispatch();
  const { step, go, back } = useSteps<Step>('email');
  const [email, setEmail] = useState('');
  const [sentAtMs, setSentAtMs] = useState(0);
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
      title: isUncertain(error as CallError) ? unsureTitle : forgotText.failedTitle,
      message: refusalText(error, messages.errors.fault),
    });

  const send = async (to: string) => {
    const answer = await ask({ body: { email: to } });
    if (answer.data) setSentAtMs(Date.now());
    return answer;
  };
  const begin = async (to: string) => {
    const { error } = await send(to);
    if (error) return refuse(error);
    setEmail(to);
    setOtp('');
    go('code');
  };
  const save = async (newPassword: string) => {
    const { data, error } = await reset({ body: { email, otp, newPassword } });
    if (data) {
      // The reset ended every session of this person; the one in this browser too.
      if (customer?.email === email) dispatch(loggedOut());
      return tell({ kind: 'success', title: forgotText.doneTitle, message: messages.auth.resetDone });
    }
    // The server looks at code and digits together; a wrong code is mended where it was typed.
    if ((error as CallError).code === 'BAD_CODE') {
      setOtp('');
      back();
    }
    refuse(error);
  };
  const close = () => {
    setShown(false);
    if (result?.kind === 'success') void navigate('/login', { state: { say: messages.auth.resetDone } });
  };

  // The history may name a step whose e-mail or code is not there any more: after a reload, or by the Forward button.
  const needsCode = step === 'password' && checkForm(oneTimeCode, otp).errors !== undefined;
  const shownStep = email === '' ? 'email' : needsCode ? 'code' : step;
  return (
    <Door quote={forgotText.quote} promise={forgotText.promise} foot={<Remembered />}>
      {shownStep === 'email' && <EmailStep email={email} busy={asking.isLoading} onSend={begin} />}
      {shownStep === 'code' && (
        <ResetCodeStep
          email={email}
          otp={otp}
          onOtp={setOtp}
          sentAtMs={sentAtMs}
          onResend={async () => {
            const answer = await send(email);
            if (answer.data) setOtp('');
            return answer;
          }}
          onProceed={() => go('password')}
          onBack={back}
        />
      )}
      {shownStep === 'password' && <NewPasswordStep busy={resetting.isLoading} onSave={save} onBack={back} />}
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
