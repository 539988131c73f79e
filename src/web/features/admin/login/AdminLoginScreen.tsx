/**
 * The administrator's login card. The refusal of a password shows on the card for three seconds. A successful login and an
 * existing session lead to the panel.
 */
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { admin as limits } from '#contract/constants.ts';
import type { Administrator } from '#contract/entities.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import * as appMessages from '#contract/messages/app.ts';
import * as authMessages from '#contract/messages/auth.ts';
import * as navMessages from '#contract/messages/nav.ts';
import * as texts from '#web/bank/factorTexts.ts';
import { type CallError, errorMessage } from '#web/base/callError.ts';
import { adminLoggedIn, selectAdmin, selectHasAdminEnded } from '#web/base/session.ts';
import { useAppDispatch, useAppSelector } from '#web/base/store.ts';
import { compareClocks } from '#web/base/token.ts';
import { useEarlyInput } from '#web/base/useEarlyInput.ts';
import { useHydrated } from '#web/base/useHydrated.ts';
import { usePasskeyLogin } from '#web/base/usePasskeyLogin.ts';
import { WhenHydrated } from '#web/base/WhenHydrated.tsx';
import { useLocation } from '#web/router/hooks.ts';
import { Navigate } from '#web/router/Navigate.tsx';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { NightSheet } from '#web/ui/NightSheet.tsx';
import { TextField } from '#web/ui/TextField.tsx';
import {
  useAdminLoginMutation,
  useAdminPasskeyLoginMutation,
  useAdminPasskeyLoginOptionsMutation,
} from '../adminCalls.ts';
import { adminReset, adminSlice } from '../adminSlice.ts';
import { words } from '../words.ts';
import { SecondStep, type SecondStepData } from './SecondStep.tsx';
import './AdminLoginScreen.css';

export function AdminLoginScreen() {
  const dispatch = useAppDispatch();
  const session = useAppSelector(selectAdmin);
  const hydrated = useHydrated();
  const { wanted = '' } = (useLocation().state as { wanted?: string } | null) ?? {};
  const lastStep = useAppSelector(adminSlice.selectors.lastStep);
  const [logIn, { isLoading, isUninitialized }] = useAdminLoginMutation();
  // If the session ended before the panel's code was loaded (a browser reopened too late), the last step has no message.
  const hasEnded = useAppSelector(selectHasAdminEnded) && hydrated && isUninitialized;
  const note = lastStep.message || (hasEnded ? appMessages.sessionEnded : '');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [second, setSecond] = useState<SecondStepData>();
  const enter = (entered: Administrator) => {
    compareClocks(entered.token);
    dispatch(adminLoggedIn(entered));
    dispatch(adminReset());
  };
  const form = useEarlyInput(entered => {
    setEmail(entered.email ?? '');
    setPassword(entered.password ?? '');
  });
  const passkey = usePasskeyLogin({
    getOptions: useAdminPasskeyLoginOptionsMutation()[0],
    logIn: useAdminPasskeyLoginMutation()[0],
    onEnter: enter,
    onRefused: error => setPasskeyRefused(errorMessage(error, authMessages.loginFailed)),
  });
  const [passkeyRefused, setPasskeyRefused] = useState('');
  const passwordField = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (!lastStep.isError) return;
    const timer = setTimeout(() => dispatch(adminReset()), limits.loginErrorMs);
    return () => clearTimeout(timer);
  }, [lastStep, dispatch]);

  // The prerendered card must hydrate unchanged before the redirect may replace it.
  if (session && hydrated) return <Navigate to={{ pathname: '/admin/dashboard', search: wanted }} replace />;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setPasskeyRefused('');
    const answer = await logIn({ body: { email, password } });
    const { code, data } = (answer.error ?? {}) as Partial<CallError>;
    if (answer.data) {
      enter(answer.data.data);
    } else if (code === 'SECOND_FACTOR' && data) {
      dispatch(adminReset());
      setSecond(data as SecondStepData);
    } else {
      passwordField.current?.focus();
      passwordField.current?.select();
    }
  };

  return (
    <div className="AdminLoginScreen">
      <div className="AdminLoginScreen-card">
        {second ? (
          <SecondStep second={second} onEnter={enter} onBack={() => setSecond(undefined)} />
        ) : (
          <form ref={form} method="dialog" onChange={() => setPasskeyRefused('')} onSubmit={submit}>
            <div>
              <h1 className="type-title">{navMessages.adminLogin}</h1>
              <p className="AdminLoginScreen-lead">{adminMessages.loginText}</p>
            </div>
            <TextField
              label={words.email}
              type="email"
              name="email"
              autoComplete="username webauthn"
              onFocus={() => void passkey.suggest()}
              required
              value={email}
              onChange={setEmail}
            />
            <TextField
              ref={passwordField}
              label={words.password}
              type="password"
              name="password"
              autoComplete="current-password"
              required
              value={password}
              onChange={setPassword}
            />
            <WhenHydrated className="AdminLoginScreen-acts">
              <Button type="submit" wide busy={isLoading} busyLabel={adminMessages.loggingIn}>
                {authMessages.login}
              </Button>
              <Button
                kind="quiet"
                wide
                icon="lock"
                busy={passkey.busy}
                onClick={() => {
                  setPasskeyRefused('');
                  void passkey.ask();
                }}
              >
                {texts.logInWithPasskey}
              </Button>
            </WhenHydrated>
            {passkeyRefused && <Banner kind="error" title={passkeyRefused} />}
            {note && !lastStep.isSuccess && (
              <Banner kind={lastStep.isError ? 'error' : 'info'} title={note} />
            )}
          </form>
        )}
        <NightSheet as="div" art="door" className="AdminLoginScreen-sheet">
          {null}
        </NightSheet>
      </div>
    </div>
  );
}
