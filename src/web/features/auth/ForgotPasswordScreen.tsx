/**
 * The password reset: email, emailed code, new password. The first answer is the same for every email. After a reload, the
 * email and the step come from the browser history; the code and the password live in memory only.
 */
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import * as appMessages from '#contract/messages/app.ts';
import * as authMessages from '#contract/messages/auth.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import { fill } from '#contract/messages/fill.ts';
import * as registerMessages from '#contract/messages/register.ts';
import { type CallError, isUncertain, mayBeMade } from '#web/base/callError.ts';
import { loggedOut, selectCustomer } from '#web/base/session.ts';
import { useAppDispatch, useAppSelector } from '#web/base/store.ts';
import { useHydrated } from '#web/base/useHydrated.ts';
import { useLocation, useNavigate } from '#web/router/hooks.ts';
import { Link } from '#web/router/Link.tsx';
import { useLastKnown } from '#web/ui/useLastKnown.ts';
import { AuthPage } from './AuthPage.tsx';
import { type Arrival, wantedState } from './arrival.ts';
import { useForgotPasswordMutation, useResetPasswordMutation } from './authCalls.ts';
import { forgotText, unsureTitle } from './authTexts.ts';
import { EmailStep } from './EmailStep.tsx';
import { type NewDigits, NewPasswordStep } from './NewPasswordStep.tsx';
import { ResetCodeStep } from './ResetCodeStep.tsx';
import { refusalText } from './refusalText.ts';
import { useSteps } from './useSteps.ts';

const loadDialog = () => import('#web/bank/ResultDialog.tsx');
// Fetched when the visitor begins to type, before it is needed: the dialog is a seventh of this page's script.
const ResultDialog = lazy(async () => ({ default: (await loadDialog()).ResultDialog }));
const prepareDialog = () => void loadDialog().catch(() => {});

/** When the notice of the last reset on this page was closed (milliseconds since 1970). Codes sent before are used up. */
let lastResetAtMs = 0;

type Step = 'email' | 'code' | 'password';
type Result = { kind: 'success' | 'error'; title: string; message: string };

export function ForgotPasswordScreen() {
  const navigate = useNavigate();
  const customer = useAppSelector(selectCustomer);
  const dispatch = useAppDispatch();
  const { step, go, back } = useSteps<Step>('email');
  const arrival = useLocation().state as Arrival;
  const [email, setEmail] = useState('');
  const [otp, setOtp] = useState('');
  const [codeGiven, setCodeGiven] = useState('');
  const [codeProblem, setCodeProblem] = useState('');
  const [digits, setDigits] = useState<NewDigits>({ newPassword: '', repeated: '' });
  // Read on arrival only, so that the step under the notice of success does not change when the notice closes.
  const [usedUpAtMs] = useState(lastResetAtMs);
  const [result, setResult] = useState<Result>();
  const lastResult = useLastKnown(result);
  const [ask, asking] = useForgotPasswordMutation();
  /** An earlier press got no answer and may have changed the password. */
  const isUnheard = useRef(false);
  const [reset, resetting] = useResetPasswordMutation();

  // The email typed at the login, or at the first step before a reload. The prerendered page contains no email.
  const emailBefore = useHydrated() ? arrival?.email : undefined;
  useEffect(() => {
    if (emailBefore) setEmail(known => known || emailBefore);
  }, [emailBefore]);

  // After a reload, the screen can open at a later step, where no email is typed. Fetch the dialog then, too.
  useEffect(() => {
    if (step !== 'email') prepareDialog();
  }, [step]);

  const refuse = (error: unknown) =>
    setResult({
      kind: 'error',
      title: isUncertain(error as CallError) ? unsureTitle : forgotText.failedTitle,
      message: refusalText(error, errorMessages.fault),
    });

  const begin = async (to: string) => {
    const { error } = await ask({ body: { email: to } });
    if (error) return refuse(error);
    isUnheard.current = false;
    setEmail(to);
    setOtp('');
    setCodeProblem('');
    go('code', { email: to, sentAtMs: Date.now() });
  };
  const resend = async () => {
    const answer = await ask({ body: { email } });
    if (answer.data) {
      isUnheard.current = false;
      setOtp('');
      setCodeProblem('');
      go(step, { sentAtMs: Date.now() });
    }
    return answer;
  };
  const save = async (newPassword: string) => {
    const { data, error } = await reset({ body: { email, otp, newPassword } });
    if (data) {
      // The reset ended every session of this customer, including the one in this browser.
      if (customer?.email === email) dispatch(loggedOut());
      return setResult({ kind: 'success', title: forgotText.doneTitle, message: authMessages.resetDone });
    }
    const { code } = error as CallError;
    if (mayBeMade(error as CallError)) {
      isUnheard.current = true;
      return setResult({ kind: 'error', title: unsureTitle, message: forgotText.noAnswer });
    }
    if (code !== 'BAD_CODE') return refuse(error);
    // The bank checks code and password together. A wrong code is reported at the code step and corrected there; the
    // password is kept.
    setOtp('');
    const said = isUnheard.current ? forgotText.mayBeChanged : forgotText.codeRefused;
    setCodeProblem(fill(said, { message: authMessages.badCode }));
    back();
  };
  const close = () => {
    setResult(undefined);
    if (result?.kind !== 'success') return;
    lastResetAtMs = Date.now();
    const state = { ...wantedState(arrival), say: authMessages.resetDone, email };
    void navigate('/login', { replace: true, state });
  };

  // The history may name a step whose email or code is gone: after a reload, with the Forward button, or when the visitor comes
  // back after the reset.
  const needsCode = step === 'password' && (otp === '' || otp !== codeGiven);
  const isUsedUp = (arrival?.sentAtMs ?? Infinity) < usedUpAtMs;
  const shownStep = email === '' || isUsedUp ? 'email' : needsCode ? 'code' : step;
  const stepBefore = useRef<Step>(shownStep);
  useEffect(() => {
    // The later steps focus their first field themselves. The email field gets the focus only when the visitor goes back to it.
    // On arrival, the focus would open a phone's keyboard.
    if (shownStep === 'email' && stepBefore.current !== 'email')
      document.querySelector<HTMLElement>('main [name=email]')?.focus();
    stepBefore.current = shownStep;
  }, [shownStep]);
  return (
    <AuthPage quote={forgotText.quote} promise={forgotText.promise} foot={<Remembered arrival={arrival} />}>
      {shownStep === 'email' && (
        <EmailStep email={email} busy={asking.isLoading} onEdit={prepareDialog} onSend={begin} />
      )}
      {shownStep === 'code' && (
        <ResetCodeStep
          email={email}
          otp={otp}
          onOtp={setOtp}
          refused={codeProblem}
          sentAtMs={arrival?.sentAtMs ?? 0}
          onResend={resend}
          onProceed={() => {
            setCodeGiven(otp);
            setCodeProblem('');
            go('password');
          }}
          onBack={back}
        />
      )}
      {shownStep === 'password' && (
        <NewPasswordStep
          digits={digits}
          onDigits={setDigits}
          busy={resetting.isLoading}
          onSave={save}
          onBack={back}
        />
      )}
      {lastResult && (
        <Suspense>
          <ResultDialog
            open={result !== undefined}
            onClose={close}
            {...lastResult}
            closeLabel={lastResult.kind === 'success' ? registerMessages.proceed : appMessages.close}
          />
        </Suspense>
      )}
    </AuthPage>
  );
}

function Remembered({ arrival }: { arrival: Arrival }) {
  return (
    <>
      {forgotText.remembered}{' '}
      <Link className="link" to="/login" state={wantedState(arrival)}>
        {authMessages.login}
      </Link>
    </>
  );
}
