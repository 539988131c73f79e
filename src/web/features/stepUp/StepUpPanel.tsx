/**
 * Confirms one act with a passkey, an authenticator app or a mailed code. It starts with the strongest method that the server
 * offers and this browser supports. Its title says what is confirmed.
 */
import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { code as rule } from '#contract/constants.ts';
import * as appMessages from '#contract/messages/app.ts';
import * as authMessages from '#contract/messages/auth.ts';
import { fill } from '#contract/messages/fill.ts';
import { type CallError, errorMessage } from '#web/base/callError.ts';
import { askForPasskey, canUsePasskeys } from '#web/base/passkeys.ts';
import { selectCustomer } from '#web/base/session.ts';
import type { StepUpAsked } from '#web/base/stepUp.ts';
import { useAppSelector } from '#web/base/store.ts';
import { useCountdown } from '#web/base/useCountdown.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Breakable } from '#web/ui/Breakable.tsx';
import { Button } from '#web/ui/Button.tsx';
import { CodeBoxes } from '#web/ui/CodeBoxes.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import {
  useSendStepUpCodeMutation,
  useStepUpPasskeyOptionsMutation,
  useVerifyStepUpMutation,
} from './stepUpCalls.ts';
import { describeNoEmail, describeWaitingFactor, words } from './words.ts';
import './StepUpPanel.css';

export type StepUpPanelProps = StepUpAsked & {
  /** Called with the proof, or with undefined if the customer cancels. */
  onEnd: (proof: string | undefined) => void;
};

export function StepUpPanel({ challenge, confirms, onEnd }: StepUpPanelProps) {
  const params = { id: challenge._id };
  const methods = challenge.methods.filter(method => method !== 'passkey' || canUsePasskeys());
  const email = useAppSelector(selectCustomer)?.email ?? '';
  const [method, setMethod] = useState(methods[0]);
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState('');
  const [isWaiting, setIsWaiting] = useState(false);
  /**
   * A code for this act works: this panel mailed it, or another one did. A customer who cancels, reloads the page or uses another
   * tab and asks for the same act again gets the same challenge, and no second code is mailed.
   */
  const [isSent, setIsSent] = useState(challenge.codeAge !== undefined);
  /** When the next code can be requested, in milliseconds since 1970. */
  const [resendAtMs, setResendAtMs] = useState(
    () =>
      Date.now() + (rule.resendCooldownSeconds - (challenge.codeAge ?? rule.resendCooldownSeconds)) * 1000,
  );
  const secondsLeft = useCountdown(resendAtMs);
  const [send, sending] = useSendStepUpCodeMutation();
  const [getOptions] = useStepUpPasskeyOptionsMutation();
  const [verify, verifying] = useVerifyStepUpMutation();
  const busy = isWaiting || verifying.isLoading;
  /** There is no code to type, because mailing one failed. */
  const isUnsent = method === 'email' && !isSent && sending.isError;
  const isWaitOver = isUnsent && (sending.error as CallError).waitTime !== undefined && secondsLeft === 0;
  const form = useRef<HTMLFormElement>(null);
  const confirm = useRef<HTMLButtonElement>(null);
  // The code boxes take the focus before the dialog can remember which element had it.
  const [opener] = useState(() => document.activeElement);
  const leadId = useId();
  const formId = useId();

  const sendCode = async () => {
    setProblem('');
    const { error } = await send({ params });
    if (error) {
      const { waitTime = 0, message } = error as CallError;
      setResendAtMs(Date.now() + waitTime * 1000);
      // Another tab has just mailed the code of this act.
      if (message === authMessages.codeTooSoon) return setIsSent(true);
      return setProblem(errorMessage(error, words.failed));
    }
    setIsSent(true);
    setResendAtMs(Date.now() + rule.resendCooldownSeconds * 1000);
  };
  const hasRequested = useRef(isSent);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a code is mailed once, when this method is first shown
  useEffect(() => {
    if (method !== 'email' || hasRequested.current) return;
    hasRequested.current = true;
    void sendCode();
  }, [method]);

  // The button that chose the passkey disappears. The boxes for a code take the focus themselves.
  useEffect(() => {
    if (method === 'passkey') confirm.current?.focus();
  }, [method]);

  const verifyWith = async (body: Parameters<typeof verify>[0]['body']) => {
    const { data, error } = await verify({ params, body });
    if (data) onEnd(data.data.proof);
    else setProblem(errorMessage(error, words.failed));
    return data !== undefined;
  };
  const confirmWithCode = async (typed: string) => {
    if (!method || busy) return;
    if (typed.length !== rule.length || typed.includes(' '))
      // The boxes are empty after a refusal, whose reason stays.
      return setProblem(before => (typed === '' && before) || words.incomplete);
    setProblem('');
    if (await verifyWith({ method, code: typed })) return;
    setCode('');
    form.current?.querySelector('input')?.focus();
  };
  const confirmWithPasskey = async () => {
    setProblem('');
    setIsWaiting(true);
    const { data, error } = await getOptions({ params });
    const credential = data && (await askForPasskey(data.data, { offers: 'dialog' }));
    if (credential) await verifyWith({ method: 'passkey', credential });
    else setProblem(error ? errorMessage(error, words.failed) : words.stopped);
    setIsWaiting(false);
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void (method === 'passkey' ? confirmWithPasskey() : confirmWithCode(code));
  };
  const others = methods.filter(other => other !== method);
  const lead = method
    ? {
        passkey: words.passkey,
        totp: words.app,
        email: isUnsent
          ? words.unsent
          : isSent && !sending.isLoading
            ? fill(words.sent, { email })
            : words.sending,
      }[method]
    : challenge.methods.length > 0
      ? words.unsupported
      : describeNoEmail(challenge);
  return (
    <Dialog
      open
      onClose={() => onEnd(undefined)}
      dismissible={!busy}
      initialFocus={method === 'passkey' ? confirm : undefined}
      finalFocus={() => (opener instanceof HTMLElement && opener.isConnected ? opener : true)}
      title={confirms}
      description={
        <p id={leadId}>
          <Breakable>
            {challenge.hasWaitingFactor && (!method || method === 'email')
              ? `${lead} ${describeWaitingFactor(challenge)}`
              : lead}
          </Breakable>
        </p>
      }
      actions={
        <>
          <Button kind="quiet" disabled={busy} onClick={() => onEnd(undefined)}>
            {method ? appMessages.cancel : appMessages.close}
          </Button>
          {method && !isUnsent && (
            <Button
              ref={confirm}
              type="submit"
              form={formId}
              busy={busy}
              busyLabel={isWaiting ? words.waiting : words.confirming}
            >
              {words.confirm}
            </Button>
          )}
        </>
      }
    >
      {method && (
        <form ref={form} id={formId} className="StepUpPanel" method="dialog" noValidate onSubmit={submit}>
          {problem && !isWaitOver && <Banner kind="error" title={problem} />}
          {method !== 'passkey' && !isUnsent && (
            <CodeBoxes
              key={method}
              legend={words.code}
              length={rule.length}
              boxLabel={place => fill(words.digit, { place, length: rule.length })}
              describedBy={leadId}
              value={code}
              onChange={digits => {
                setCode(digits);
                setProblem('');
              }}
              onComplete={digits => void confirmWithCode(digits)}
              disabled={busy}
              autoFocus
            />
          )}
          {(method === 'email' || others.length > 0) && (
            <p className="StepUpPanel-other">
              {method === 'email' && (
                <Button
                  kind="text"
                  size="s"
                  busy={sending.isLoading}
                  disabled={secondsLeft > 0}
                  onClick={() => void sendCode()}
                >
                  {secondsLeft > 0 ? fill(words.resendIn, { n: secondsLeft }) : words.resend}
                </Button>
              )}
              {others.map(other => (
                <Button
                  key={other}
                  kind="text"
                  size="s"
                  disabled={busy}
                  onClick={() => {
                    setMethod(other);
                    setCode('');
                    setProblem('');
                  }}
                >
                  {words.ways[other]}
                </Button>
              ))}
            </p>
          )}
        </form>
      )}
    </Dialog>
  );
}
