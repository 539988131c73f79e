/**
 * The customer's login: email and password, then a code; or a passkey alone. A notice shows the result. The code step shows
 * while the history entry names it and the auth state has a pendingEmail, which a reload restores from the history. After the
 * login, the step stays behind the notice. A customer who is already logged in goes straight to the dashboard or the requested
 * screen.
 */
import { useEffect, useRef, useState } from 'react';
import type { LoggedInCustomer } from '#contract/auth.ts';
import { login } from '#contract/constants.ts';
import * as appMessages from '#contract/messages/app.ts';
import * as authMessages from '#contract/messages/auth.ts';
import * as dashboardMessages from '#contract/messages/dashboard.ts';
import { fill } from '#contract/messages/fill.ts';
import * as navMessages from '#contract/messages/nav.ts';
import { authReset, customerLoggedIn, loginResumed, selectAuth, selectCustomer } from '#web/base/session.ts';
import { useAppDispatch, useAppSelector } from '#web/base/store.ts';
import { compareClocks } from '#web/base/token.ts';
import { useHydrated } from '#web/base/useHydrated.ts';
import { useLocation, useNavigate } from '#web/router/hooks.ts';
import { Link } from '#web/router/Link.tsx';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { useLastKnown } from '#web/ui/useLastKnown.ts';
import { AuthPage } from './AuthPage.tsx';
import { type Arrival, destinationOf, wantedState } from './arrival.ts';
import { loginText } from './authTexts.ts';
import { useLoginParts } from './laterLogin.ts';
import { PasswordStep } from './PasswordStep.tsx';
import { useSteps } from './useSteps.ts';

type Notice = {
  kind: 'success' | 'warning' | 'error';
  title: string;
  message: string;
  advice?: string | undefined;
};

const pendingNotice: Notice = {
  kind: 'warning',
  title: authMessages.pendingTitle,
  message: authMessages.pendingText,
};

export function LoginScreen() {
  const { pendingEmail } = useAppSelector(selectAuth);
  const customer = useAppSelector(selectCustomer);
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const [notice, setNotice] = useState<Notice>();
  const lastNotice = useLastKnown(notice);
  const { step, go, back } = useSteps<'password' | 'code'>('password');
  const arrival = useLocation().state as Arrival;
  const destination = destinationOf(arrival);
  const emailBefore = step === 'code' ? arrival?.email : undefined;
  // The prerendered page contains no email.
  const carriedEmail = useHydrated() ? arrival?.email : undefined;
  const completedHere = useRef(false);
  // A login that is completed with a code stays at the code step, behind the notice.
  const isAtCode =
    (pendingEmail !== null && step === 'code') || (completedHere.current && arrival?.sentAtMs !== undefined);
  const [wasAtCode, setWasAtCode] = useState(false);
  if (isAtCode && !wasAtCode) setWasAtCode(true);
  const parts = useLoginParts(isAtCode || notice !== undefined);

  useEffect(() => {
    // A customer who completes the login here reads the notice first; the notice redirects on its own.
    if (customer && !completedHere.current) void navigate(destination, { replace: true });
  }, [customer, navigate, destination]);

  useEffect(() => {
    if (emailBefore && !pendingEmail && !customer) dispatch(loginResumed(emailBefore));
  }, [emailBefore, pendingEmail, customer, dispatch]);

  useEffect(() => {
    if (notice?.kind !== 'success') return;
    const timer = setTimeout(() => navigate(destination, { replace: true }), login.redirectDelayMs);
    return () => clearTimeout(timer);
  }, [notice, navigate, destination]);

  const refuse = (message: string, advice?: string, title: string = authMessages.loginFailedTitle) =>
    setNotice({ kind: 'error', title, message, advice });
  const proceed = (email: string, usesApp: boolean) => {
    const now = Date.now();
    go('code', { email, sentAtMs: now, begunAtMs: now, usesApp, isUnheard: false });
  };
  const enter = (entered: LoggedInCustomer) => {
    completedHere.current = true;
    compareClocks(entered.token);
    dispatch(customerLoggedIn(entered));
    // The code is used up: going back to this history entry must start over.
    void navigate('/login', {
      replace: true,
      state: { ...wantedState(arrival), sentAtMs: arrival?.sentAtMs, usesApp: arrival?.usesApp },
    });
    const title = fill(dashboardMessages.welcome, { firstName: entered.firstName });
    setNotice(
      entered.isApproved ? { kind: 'success', title, message: authMessages.loginDone } : pendingNotice,
    );
  };
  const closeNotice = () => {
    setNotice(undefined);
    if (notice?.kind === 'error') dispatch(authReset());
    if (notice?.kind === 'warning') void navigate('/');
    if (notice?.kind === 'success') void navigate(destination, { replace: true });
  };

  return (
    <AuthPage quote={loginText.quote} promise={loginText.promise} foot={<NewHere />}>
      {parts && isAtCode ? (
        <parts.CodeStep
          email={pendingEmail ?? customer?.email ?? ''}
          sentAtMs={arrival?.sentAtMs ?? 0}
          begunAtMs={arrival?.begunAtMs ?? arrival?.sentAtMs ?? 0}
          usesApp={arrival?.usesApp === true}
          isUnheard={arrival?.isUnheard === true}
          onUnheard={() => go('code', { isUnheard: true })}
          onResent={() => go('code', { sentAtMs: Date.now() })}
          onEnter={enter}
          onRefused={refuse}
          onBack={back}
        />
      ) : (
        <PasswordStep
          knownEmail={pendingEmail ?? carriedEmail ?? ''}
          isBack={wasAtCode}
          onAccepted={proceed}
          onEnter={enter}
          onRefused={refuse}
          resetState={wantedState(arrival)}
          banner={<ArrivalBanner />}
        />
      )}
      {parts && lastNotice && (
        <parts.ResultDialog
          open={notice !== undefined}
          onClose={closeNotice}
          kind={lastNotice.kind}
          title={lastNotice.title}
          message={lastNotice.message}
          subtitle={lastNotice.advice}
          action={
            lastNotice.kind === 'warning' && (
              <Button kind="text" wide onClick={() => void navigate(destination, { replace: true })}>
                {loginText.toApplication}
              </Button>
            )
          }
          closeLabel={lastNotice.kind === 'success' ? navMessages.dashboard : appMessages.close}
        />
      )}
    </AuthPage>
  );
}

function NewHere() {
  return (
    <>
      {loginText.newHere}{' '}
      <Link className="link" to="/register">
        {loginText.openAccount}
      </Link>
    </>
  );
}

/** Says why the visitor is here: they registered, set a new password or deleted the account, or their session ended. */
function ArrivalBanner() {
  const arrival = useLocation().state as Arrival;
  const { message, isError, isSuccess } = useAppSelector(selectAuth);
  if (!useHydrated()) return null;
  if (arrival?.say) return <Banner kind="success" title={arrival.say} />;
  if (message && !isError && !isSuccess) return <Banner kind="info" title={message} />;
  return null;
}
