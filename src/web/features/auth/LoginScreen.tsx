/**
 * The customer's login: credentials, then the mailed code, then a notice that leads on. The code's step shows while the auth
 * state has a pendingEmail. Who is logged in already goes straight to the dashboard.
 */
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import type { LoggedInCustomer } from '#contract/auth.ts';
import { login } from '#contract/constants.ts';
import { fill, messages } from '#contract/messages.ts';
import { authReset, customerLoggedIn, selectAuth, selectCustomer } from '#web/base/session.ts';
import { useAppDispatch, useAppSelector } from '#web/base/store.ts';
import { useHydrated } from '#web/base/useHydrated.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { ResultDialog } from '#web/ui/ResultDialog.tsx';
import { loginText } from './authTexts.ts';
import { CodeStep } from './CodeStep.tsx';
import { Door } from './Door.tsx';
import { PasswordStep } from './PasswordStep.tsx';
import { useSteps } from './useSteps.ts';

/** What another screen asks the login to say, as the navigation's state. */
export type LoginArrival = { say?: string } | null;

type Notice = { kind: 'success' | 'warning' | 'error'; title: string; message: string };

const pendingNotice: Notice = {
  kind: 'warning',
  title: messages.auth.pendingTitle,
  message: messages.auth.pendingText,
};

export function LoginScreen() {
  const { pendingEmail } = useAppSelector(selectAuth);
  const customer = useAppSelector(selectCustomer);
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const [notice, setNotice] = useState<Notice | null>(null);
  const [shown, setShown] = useState(false);
  const [sentAtMs, setSentAtMs] = useState(0);
  const { step, go, back } = useSteps<'password' | 'code'>('password');
  const completedHere = useRef(false);

  useEffect(() => {
    // Whoever completes the login here reads the notice first; it leads on by itself.
    if (customer && !completedHere.current) void navigate('/dashboard', { replace: true });
  }, [customer, navigate]);

  useEffect(() => {
    if (notice?.kind !== 'success') return;
    const timer = setTimeout(() => navigate('/dashboard', { replace: true }), login.redirectDelayMs);
    return () => clearTimeout(timer);
  }, [notice, navigate]);

  const say = (next: Notice) => {
    setNotice(next);
    setShown(true);
  };
  const refuse = (message: string) => say({ kind: 'error', title: messages.auth.loginFailedTitle, message });
  const proceed = () => {
    setSentAtMs(Date.now());
    go('code');
  };
  const enter = (entered: LoggedInCustomer) => {
    completedHere.current = true;
    dispatch(customerLoggedIn(entered));
    const title = fill(messages.dashboard.welcome, { firstName: entered.firstName });
    say(entered.isApproved ? { kind: 'success', title, message: messages.auth.loginDone } : pendingNotice);
  };
  const closeNotice = () => {
    setShown(false);
    if (notice?.kind === 'error') dispatch(authReset());
    if (notice?.kind === 'warning') void navigate('/');
    if (notice?.kind === 'success') void navigate('/dashboard', { replace: true });
  };

  return (
    <Door quote={loginText.quote} promise={loginText.promise} foot={<NewHere />}>
      {(pendingEmail && step === 'code') || completedHere.current ? (
        <CodeStep
          email={pendingEmail ?? customer?.email ?? ''}
          sentAtMs={sentAtMs}
          onResent={() => setSentAtMs(Date.now())}
          onEnter={enter}
          onRefused={refuse}
          onBack={back}
        />
      ) : (
        <PasswordStep
          knownEmail={pendingEmail ?? ''}
          onAccepted={proceed}
          onRefused={refuse}
          banner={<ArrivalBanner />}
        />
      )}
      <ResultDialog
        open={shown}
        onClose={closeNotice}
        kind={notice?.kind ?? 'error'}
        title={notice?.title ?? ''}
        message={notice?.message ?? ''}
        closeLabel={notice?.kind === 'success' ? messages.nav.dashboard : messages.app.close}
      />
    </Door>
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

/** Why the person is here: fresh from registering or a new password, or because a session ended. */
function ArrivalBanner() {
  const arrival = useLocation().state as LoginArrival;
  const { message, isError, isSuccess } = useAppSelector(selectAuth);
  if (!useHydrated()) return null;
  if (arrival?.say) return <Banner kind="success" title={arrival.say} />;
  if (message && !isError && !isSuccess) return <Banner kind="info" title={message} />;
  return null;
}
