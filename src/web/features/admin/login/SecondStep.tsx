/** The second step of an administrator's login: a code from the authenticator app, a recovery code, or a passkey. */
import { type FormEvent, useRef, useState } from 'react';
import type { Administrator } from '#contract/entities.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import * as appMessages from '#contract/messages/app.ts';
import * as authMessages from '#contract/messages/auth.ts';
import * as navMessages from '#contract/messages/nav.ts';
import type { CeremonyOptions, Credential } from '#contract/webAuthn.ts';
import * as texts from '#web/bank/factorTexts.ts';
import { type CallError, errorMessage, isUncertain } from '#web/base/callError.ts';
import { askForPasskey } from '#web/base/passkeys.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { TextField } from '#web/ui/TextField.tsx';
import { useAdminLoginSecondMutation } from '../adminCalls.ts';

const mayBeDone = `Your earlier press may have reached us. Press “${appMessages.cancel}” and log in again.`;

/** The bank's answer to the first step. */
export type SecondStepData = {
  ticket: string;
  methods: ('totp' | 'recovery' | 'passkey')[];
  passkey?: CeremonyOptions;
};

export type SecondStepProps = {
  second: SecondStepData;
  onEnter: (admin: Administrator) => void;
  onBack: () => void;
};

export function SecondStep({ second, onEnter, onBack }: SecondStepProps) {
  const { ticket, methods, passkey } = second;
  const [code, setCode] = useState('');
  const [usesRecovery, setUsesRecovery] = useState(false);
  const [error, setError] = useState('');
  /** A press got no answer, and may have used up the ticket. */
  const [isUnheard, setIsUnheard] = useState(false);
  const [finish, { isLoading }] = useAdminLoginSecondMutation();
  const field = useRef<HTMLInputElement>(null);
  const hasApp = methods.includes('totp');

  const write = (typed: string) => {
    setCode(typed);
    setError('');
  };
  const send = async (proof: { code: string } | { credential: Credential }) => {
    const answer = await finish({ body: { ticket, ...proof } });
    if (answer.data) return onEnter(answer.data.data);
    const failed = answer.error as CallError;
    const message = errorMessage(failed, authMessages.loginFailed);
    setError(isUnheard && failed.code === 'BAD_CODE' ? `${message}. ${mayBeDone}` : message);
    if (isUncertain(failed)) setIsUnheard(true);
    field.current?.select();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send({ code: code.trim() });
  };
  const confirmWithPasskey = async (options: CeremonyOptions) => {
    const credential = await askForPasskey(options, { offers: 'dialog' });
    if (credential) await send({ credential });
    else setError(texts.ceremonyFailed);
  };
  return (
    <form method="dialog" onSubmit={submit} noValidate>
      <div>
        <h1 className="type-title">{navMessages.adminLogin}</h1>
        <p className="AdminLoginScreen-lead">
          {!hasApp ? texts.confirmWithPasskey : usesRecovery ? texts.recoveryText : texts.enterCode}
        </p>
      </div>
      {hasApp && (
        <>
          <TextField
            key={usesRecovery ? 'recovery' : 'code'}
            ref={field}
            label={usesRecovery ? texts.recoveryCode : texts.code}
            inputMode={usesRecovery ? 'text' : 'numeric'}
            autoComplete={usesRecovery ? 'off' : 'one-time-code'}
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            value={code}
            onChange={write}
            error={error}
          />
          <Button type="submit" wide busy={isLoading} busyLabel={adminMessages.loggingIn}>
            {authMessages.login}
          </Button>
        </>
      )}
      {passkey && (
        <Button
          kind={hasApp ? 'quiet' : 'primary'}
          wide
          icon="lock"
          busy={isLoading && !hasApp}
          onClick={() => void confirmWithPasskey(passkey)}
        >
          {texts.usePasskey}
        </Button>
      )}
      {!hasApp && error && <Banner kind="error" title={error} />}
      <p className="type-small">{texts.lostAllAdmin}</p>
      <div>
        {hasApp && methods.includes('recovery') && (
          <Button
            kind="text"
            onClick={() => {
              setUsesRecovery(!usesRecovery);
              write('');
            }}
          >
            {usesRecovery ? texts.useApp : texts.useRecovery}
          </Button>
        )}
        <Button kind="text" onClick={onBack}>
          {appMessages.cancel}
        </Button>
      </div>
    </form>
  );
}
