/** Confirms one act with a mailed code or an authenticator app. Its title says what is confirmed. */
import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { code as rule } from '#contract/constants.ts';
import * as appMessages from '#contract/messages/app.ts';
import { fill } from '#contract/messages/fill.ts';
import type { StepUpMethod } from '#contract/stepUp.ts';
import { errorMessage } from '#web/base/callError.ts';
import { selectCustomer } from '#web/base/session.ts';
import type { StepUpAsked } from '#web/base/stepUp.ts';
import { useAppSelector } from '#web/base/store.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { CodeBoxes } from '#web/ui/CodeBoxes.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { useSendStepUpCodeMutation, useVerifyStepUpMutation } from './stepUpCalls.ts';
import { words } from './words.ts';
import './StepUpPanel.css';

export type StepUpPanelProps = StepUpAsked & {
  /** Called with the proof, or with undefined if the customer cancels. */
  onEnd: (proof: string | undefined) => void;
};

/** The methods with a code. A customer with a passkey always has one of these too. */
type CodeMethod = Exclude<StepUpMethod, 'passkey'>;

const switches: Record<CodeMethod, string> = {
  email: words.byEmail,
  totp: words.byApp,
};

export function StepUpPanel({ challenge, confirms = words.title, onEnd }: StepUpPanelProps) {
  const { _id: id } = challenge;
  const methods = challenge.methods.filter((method): method is CodeMethod => method !== 'passkey');
  const email = useAppSelector(selectCustomer)?.email ?? '';
  const [method, setMethod] = useState(methods[0]);
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState('');
  const [send, sending] = useSendStepUpCodeMutation();
  const [verify, { isLoading }] = useVerifyStepUpMutation();
  const form = useRef<HTMLFormElement>(null);
  const leadId = useId();

  const sendCode = async () => {
    setProblem('');
    const { error } = await send({ params: { id } });
    if (error) setProblem(errorMessage(error, words.failed));
  };
  const hasSent = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a code is mailed once, when this method is first shown
  useEffect(() => {
    if (method !== 'email' || hasSent.current) return;
    hasSent.current = true;
    void sendCode();
  }, [method]);

  const confirm = async (typed: string) => {
    if (!method || isLoading) return;
    if (typed.length !== rule.length || typed.includes(' ')) return setProblem(words.incomplete);
    setProblem('');
    const { data, error } = await verify({ params: { id }, body: { method, code: typed } });
    if (data) return onEnd(data.data.proof);
    setProblem(errorMessage(error, words.failed));
    setCode('');
    form.current?.querySelector('input')?.focus();
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void confirm(code);
  };
  const lead =
    method === 'totp' ? words.app : sending.isLoading ? words.sending : fill(words.sent, { email });
  return (
    <Dialog
      open
      onClose={() => onEnd(undefined)}
      dismissible={!isLoading}
      className="StepUpPanel"
      title={confirms}
      description={method ? <p id={leadId}>{lead}</p> : <p>{words.none}</p>}
      actions={
        <>
          <Button kind="quiet" disabled={isLoading} onClick={() => onEnd(undefined)}>
            {appMessages.cancel}
          </Button>
          {method && (
            <Button busy={isLoading} busyLabel={words.confirming} onClick={() => void confirm(code)}>
              {words.confirm}
            </Button>
          )}
        </>
      }
    >
      {method && (
        <form ref={form} className="StepUpPanel-form" method="dialog" noValidate onSubmit={submit}>
          {problem && <Banner kind="error" title={problem} />}
          <CodeBoxes
            legend={words.code}
            length={rule.length}
            boxLabel={place => fill(words.digit, { place, length: rule.length })}
            describedBy={leadId}
            value={code}
            onChange={digits => {
              setCode(digits);
              setProblem('');
            }}
            onComplete={digits => void confirm(digits)}
            disabled={isLoading}
            autoFocus
          />
          <p className="StepUpPanel-other">
            {method === 'email' && (
              <Button kind="text" size="s" busy={sending.isLoading} onClick={() => void sendCode()}>
                {words.resend}
              </Button>
            )}
            {methods
              .filter(other => other !== method)
              .map(other => (
                <Button key={other} kind="text" size="s" onClick={() => setMethod(other)}>
                  {switches[other]}
                </Button>
              ))}
          </p>
        </form>
      )}
    </Dialog>
  );
}
