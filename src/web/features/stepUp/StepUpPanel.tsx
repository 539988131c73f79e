/**
 * Confirms one act with a passkey, an authenticator app or a mailed code. It starts with the first method of the challenge.
 * `StepUpHost` has left only methods that this browser supports, at least one. The title says what is confirmed.
 */
import { type SubmitEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { code as rule } from '#contract/constants.ts';
import * as appMessages from '#contract/messages/app.ts';
import { fill } from '#contract/messages/fill.ts';
import type { StepUpRefusal } from '#contract/stepUp.ts';
import { type CallError, errorMessage, mayBeMade } from '#web/base/callError.ts';
import { askForPasskey, stopCeremony } from '#web/base/passkeys.ts';
import { selectCustomer } from '#web/base/session.ts';
import type { StepUpAsked, StepUpEnd } from '#web/base/stepUp.ts';
import { useAppSelector } from '#web/base/store.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Breakable } from '#web/ui/Breakable.tsx';
import { Button } from '#web/ui/Button.tsx';
import { CodeBoxes } from '#web/ui/CodeBoxes.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { focusEmptyBox } from '#web/ui/focusEmptyBox.ts';
import { useCountdown } from '#web/ui/useCountdown.ts';
import {
  useSendStepUpCodeMutation,
  useStepUpPasskeyOptionsMutation,
  useVerifyStepUpMutation,
} from './stepUpCalls.ts';
import { describeUnsent, describeWaitingFactor, words } from './words.ts';
import './StepUpPanel.css';

export type StepUpPanelProps = StepUpAsked & {
  onEnd: (end: StepUpEnd) => void;
};

export function StepUpPanel({ challenge, confirms, onEnd }: StepUpPanelProps) {
  const params = { id: challenge._id };
  const email = useAppSelector(selectCustomer)?.email ?? '';
  const [method, setMethod] = useState(challenge.methods[0]!);
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState('');
  const [isWaiting, setIsWaiting] = useState(false);
  /** The challenge can no longer be confirmed, as the problem says. */
  const [isOver, setIsOver] = useState(false);
  /**
   * A code for this act works: this panel mailed it, or another one did. A customer who cancels, reloads the page or uses
   * another tab and asks for the same act again gets the same challenge, and no second code is mailed.
   */
  const [isSent, setIsSent] = useState(challenge.codeAge !== undefined);
  /** The answer to a request for a code was lost. */
  const [perhapsSent, setPerhapsSent] = useState(false);
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
  /** The request for a passkey that is wanted: not one that the customer has left. */
  const wanted = useRef<object>(undefined);
  /** There is no code to type, because mailing one failed, or its answer was lost. */
  const isUnsent = method === 'email' && !isSent && sending.isError;
  const form = useRef<HTMLFormElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const confirm = useRef<HTMLButtonElement>(null);
  // The code boxes take the focus before the dialog can remember which element had it.
  const [opener] = useState(() => document.activeElement);
  const leadId = useId();
  const formId = useId();

  const refuse = (error: unknown) => {
    setProblem(errorMessage(error, words.failed));
    setIsOver(refusalOf(error).isOver === true);
  };
  /** Returns whether a code was surely mailed, here or by another tab. */
  const sendCode = async () => {
    setProblem('');
    const { error } = await send({ params });
    if (error) {
      const { waitTime = 0 } = error as CallError;
      if (mayBeMade(error as CallError)) setPerhapsSent(true);
      setResendAtMs(Date.now() + waitTime * 1000);
      // Another tab has just mailed the code of this act.
      const isMailed = refusalOf(error).isMailed === true;
      if (isMailed) setIsSent(true);
      else refuse(error);
      return isMailed;
    }
    setIsSent(true);
    setResendAtMs(Date.now() + rule.resendCooldownSeconds * 1000);
    return true;
  };
  const startOver = () => {
    setCode('');
    form.current?.querySelector('input')?.focus();
  };
  const sendAnother = async () => {
    if (await sendCode()) startOver();
    else focusEmptyBox(form.current);
  };
  const hasRequested = useRef(isSent);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a code is mailed once, when this method is first shown
  useEffect(() => {
    if (method !== 'email' || hasRequested.current) return;
    hasRequested.current = true;
    void sendCode();
  }, [method]);

  // The element that had the focus disappears, so move the focus. The boxes for a code take it themselves. In a layout effect,
  // because a microtask of the dialog would take the focus if no element had it.
  useLayoutEffect(() => {
    if (isOver || method === 'passkey') confirm.current?.focus();
    else if (isUnsent) cancel.current?.focus();
  }, [method, isOver, isUnsent]);

  const verifyWith = async (body: Parameters<typeof verify>[0]['body']) => {
    const { data, error } = await verify({ params, body });
    if (data) onEnd({ proof: data.data.proof });
    else refuse(error);
    return data !== undefined;
  };
  const confirmWithCode = async (typed: string) => {
    if (busy) return;
    if (typed.length !== rule.length || typed.includes(' ')) {
      // The boxes are empty after a refusal, whose reason stays.
      setProblem(before => (typed === '' && before) || words.incomplete);
      return focusEmptyBox(form.current);
    }
    setProblem('');
    if (!(await verifyWith({ method, code: typed }))) startOver();
  };
  const confirmWithPasskey = async () => {
    const request = {};
    wanted.current = request;
    setProblem('');
    setIsWaiting(true);
    const { data, error } = await getOptions({ params });
    if (wanted.current !== request) return;
    const credential = data && (await askForPasskey(data.data, { offers: 'dialog' }));
    if (wanted.current !== request) return;
    if (credential) await verifyWith({ method: 'passkey', credential });
    else if (error) refuse(error);
    else setProblem(words.stopped);
    setIsWaiting(false);
  };
  const stopWaiting = () => {
    if (!isWaiting) return;
    wanted.current = undefined;
    setIsWaiting(false);
    void stopCeremony();
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void (method === 'passkey' ? confirmWithPasskey() : confirmWithCode(code));
  };
  const others = challenge.methods.filter(other => other !== method);
  const lead = {
    passkey: words.passkey,
    totp: words.app,
    email: isUnsent
      ? describeUnsent(errorMessage(sending.error, ''), perhapsSent)
      : isSent && !sending.isLoading
        ? fill(words.sent, { email })
        : words.sending,
  }[method];
  const close = () => {
    stopWaiting();
    onEnd(isOver ? { reason: problem } : undefined);
  };
  return (
    <Dialog
      open
      onClose={close}
      dismissible={!busy}
      initialFocus={method === 'passkey' ? confirm : undefined}
      finalFocus={() => (opener instanceof HTMLElement && opener.isConnected ? opener : true)}
      title={confirms}
      description={
        !isOver && (
          <p id={leadId}>
            <Breakable>
              {challenge.hasWaitingFactor && method === 'email'
                ? `${lead} ${describeWaitingFactor(challenge)}`
                : lead}
            </Breakable>
          </p>
        )
      }
      actions={
        <>
          <Button ref={cancel} kind="quiet" disabled={verifying.isLoading} onClick={close}>
            {appMessages.cancel}
          </Button>
          {isOver ? (
            <Button ref={confirm} onClick={() => onEnd('again')}>
              {words.again}
            </Button>
          ) : (
            !isUnsent && (
              <Button
                ref={confirm}
                type="submit"
                form={formId}
                busy={busy}
                busyLabel={isWaiting ? words.waiting : words.confirming}
              >
                {words.confirm}
              </Button>
            )
          )}
        </>
      }
    >
      {isOver ? (
        <Banner kind="error" title={problem} />
      ) : (
        <form ref={form} id={formId} className="StepUpPanel" method="dialog" noValidate onSubmit={submit}>
          {problem && <Banner kind="error" title={problem} />}
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
                  onClick={() => void sendAnother()}
                >
                  {secondsLeft > 0 ? fill(words.resendIn, { n: secondsLeft }) : words.resend}
                </Button>
              )}
              {others.map(other => (
                <Button
                  key={other}
                  kind="text"
                  size="s"
                  disabled={verifying.isLoading}
                  onClick={() => {
                    stopWaiting();
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

const refusalOf = (error: unknown) => ((error as CallError).data ?? {}) as StepUpRefusal;
