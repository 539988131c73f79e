/**
 * Second step of the login: enter the emailed code, or request another one after the cooldown. A customer with an authenticator
 * app enters its code or a recovery code. Once the login may be completed or too old, no other code can be requested. The bank
 * does not say so, because that would reveal whether the email has an account. The step concludes it from a lost answer or from
 * the browser's clock.
 */
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { authApi, type LoggedInCustomer } from '#contract/auth.ts';
import { code, login } from '#contract/constants.ts';
import * as authMessages from '#contract/messages/auth.ts';
import * as navMessages from '#contract/messages/nav.ts';
import * as texts from '#web/bank/factorTexts.ts';
import { type CallError, mayBeMade } from '#web/base/callError.ts';
import { checkForm } from '#web/base/formRules.ts';
import { helpDeskAddress } from '#web/base/helpDesk.ts';
import { Link } from '#web/router/Link.tsx';
import { Button } from '#web/ui/Button.tsx';
import { CodeBoxes } from '#web/ui/CodeBoxes.tsx';
import { focusEmptyBox } from '#web/ui/focusEmptyBox.ts';
import { TextField } from '#web/ui/TextField.tsx';
import { useCountdown } from '#web/ui/useCountdown.ts';
import { useResendCodeMutation, useVerifyCodeMutation } from './authCalls.ts';
import { codeText, unsureTitle } from './authTexts.ts';
import { BackButton } from './BackButton.tsx';
import { CodeSentTo } from './CodeSentTo.tsx';
import { ResendCode } from './ResendCode.tsx';
import { isRejectedInput, refusalText } from './refusalText.ts';

export type CodeStepProps = {
  email: string;
  /** When the last code was requested, in milliseconds since 1970. */
  sentAtMs: number;
  /** When the password was accepted. */
  begunAtMs: number;
  /** The code comes from the customer's app, so none was mailed. */
  usesApp: boolean;
  /** An earlier press got no answer, and may have used the code. */
  isUnheard: boolean;
  onUnheard: () => void;
  onResent: () => void;
  onEnter: (customer: LoggedInCustomer) => void;
  /** `advice` says what to do about a code that was refused. `title` is set if the login may have succeeded. */
  onRefused: (message: string, advice?: string, title?: string) => void;
  onBack: () => void;
};

export function CodeStep(props: CodeStepProps) {
  const { email, sentAtMs, begunAtMs, usesApp, isUnheard, onUnheard, onResent, onEnter, onRefused, onBack } =
    props;
  const [otp, setOtp] = useState('');
  const [usesRecovery, setUsesRecovery] = useState(false);
  const [error, setError] = useState('');
  const sentToId = useId();
  const [verify, { isLoading, isSuccess }] = useVerifyCodeMutation();
  const [resend] = useResendCodeMutation();
  const form = useRef<HTMLFormElement>(null);

  // If the password is entered twice within the cooldown, the second entry continues the first login, so the login may have
  // begun that much earlier.
  const lastsSeconds = (usesApp ? code.lifeSeconds : login.resendForSeconds) - code.resendCooldownSeconds;
  const endsAtMs = begunAtMs + lastsSeconds * 1000;
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
    const message = refusalText(answer.error, authMessages.verifyFailed);
    const error = answer.error as CallError;
    if (mayBeMade(error)) {
      onUnheard();
      return onRefused(message, undefined, unsureTitle);
    }
    // A code that the bank did not check may still be right.
    if (!isRejectedInput(error)) return onRefused(message);
    startOver();
    const wrongInApp = usesRecovery ? texts.wrongRecoveryCode : texts.wrongAppCode;
    const wrong = usesApp ? wrongInApp : codeText.wrongCode;
    if (isUnheard) return onRefused(message, usesRecovery ? texts.usedRecoveryCode : codeText.used);
    if (Date.now() < endsAtMs) return onRefused(message, wrong);
    // A code that was sent late still works.
    const isOver = Date.now() >= sentAtMs + code.lifeSeconds * 1000;
    onRefused(message, isOver ? codeText.tooLate : codeText.mayBeTooLate);
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
        <Retry isUnheard={isUnheard} endsAtMs={endsAtMs} onBack={onBack}>
          {!usesApp && (
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
        </Retry>
        {usesApp && (
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
        )}
      </form>
    </>
  );
}

type RetryProps = Pick<CodeStepProps, 'isUnheard' | 'onBack'> & { endsAtMs: number; children: ReactNode };

/** Offers to log in again instead of `children` once the login may be completed or too old. */
function Retry({ isUnheard, endsAtMs, onBack, children }: RetryProps) {
  const isLate = useCountdown(endsAtMs) === 0;
  if (!isUnheard && !isLate) return children;
  return (
    <>
      <p role="status" className="type-small">
        {isUnheard ? codeText.mayBeUsed : codeText.mayBeTooLate}
      </p>
      <Button kind="quiet" wide onClick={onBack}>
        {codeText.again}
      </Button>
    </>
  );
}
