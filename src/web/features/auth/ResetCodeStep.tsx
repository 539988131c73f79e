/** Second step of the password reset: the emailed code. The bank checks it together with the new password. */
import { type FormEvent, useId, useRef, useState } from 'react';
import { code } from '#contract/constants.ts';
import { oneTimeCode } from '#contract/fields.ts';
import * as authMessages from '#contract/messages/auth.ts';
import { fill } from '#contract/messages/fill.ts';
import { checkForm } from '#web/base/formRules.ts';
import { Button } from '#web/ui/Button.tsx';
import { CodeBoxes } from '#web/ui/CodeBoxes.tsx';
import { focusEmptyBox } from '#web/ui/focusEmptyBox.ts';
import { codeText, forgotText } from './authTexts.ts';
import { BackButton } from './BackButton.tsx';
import { CodeSentTo } from './CodeSentTo.tsx';
import { ResendCode } from './ResendCode.tsx';

export type ResetCodeStepProps = {
  email: string;
  otp: string;
  onOtp: (otp: string) => void;
  /** Why the previous code was refused, if one was. */
  refused: string;
  /** When the last code was requested, in milliseconds since 1970. */
  sentAtMs: number;
  onResend: () => Promise<{ data?: unknown; error?: unknown }>;
  onProceed: () => void;
  onBack: () => void;
};

export function ResetCodeStep(props: ResetCodeStepProps) {
  const { email, otp, onOtp, refused, sentAtMs, onResend, onProceed, onBack } = props;
  const [error, setError] = useState(refused);
  const sentToId = useId();
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const whole = !checkForm(oneTimeCode, otp).errors;
    setError(whole ? '' : codeText.incomplete);
    if (whole) onProceed();
    else focusEmptyBox(form.current);
  };

  return (
    <>
      <BackButton onPress={onBack} />
      <p className="type-note">{fill(forgotText.step, { step: 2 })}</p>
      <h1 className="type-title">{forgotText.codeTitle}</h1>
      <CodeSentTo id={sentToId} email={email} said={authMessages.forgotAnswer} perhaps />
      <form ref={form} method="dialog" onSubmit={submit} noValidate>
        <CodeBoxes
          legend={codeText.legend}
          length={code.length}
          boxLabel={codeText.box}
          describedBy={sentToId}
          value={otp}
          onChange={digits => {
            onOtp(digits);
            setError('');
          }}
          error={error}
          autoFocus
        />
        <Button type="submit" wide>
          {forgotText.proceed}
        </Button>
        {/* The text does not reveal whether this email has an account. */}
        <ResendCode
          sentAtMs={sentAtMs}
          done={authMessages.forgotAnswer}
          onResend={async () => {
            const answer = await onResend();
            if (answer.data) setError('');
            return answer;
          }}
        />
      </form>
    </>
  );
}
