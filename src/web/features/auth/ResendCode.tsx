/** Requests another code. Disabled for 45 seconds after each code, including the first, or for as long as the server says. */
import { type MouseEvent, useState } from 'react';
import { code } from '#contract/constants.ts';
import * as authMessages from '#contract/messages/auth.ts';
import { fill } from '#contract/messages/fill.ts';
import type { CallError } from '#web/base/callError.ts';
import { Button } from '#web/ui/Button.tsx';
import { focusEmptyBox } from '#web/ui/focusEmptyBox.ts';
import { Icon } from '#web/ui/Icon.tsx';
import { useCountdown } from '#web/ui/useCountdown.ts';
import { codeText } from './authTexts.ts';
import { refusalText } from './refusalText.ts';
import './ResendCode.css';

export type ResendCodeProps = {
  /** When the last code was requested, in milliseconds since 1970. */
  sentAtMs: number;
  /** The message after another code was requested. */
  done: string;
  onResend: () => Promise<{ data?: unknown; error?: unknown }>;
};

/** The widest label. Every label gets its width, so that a shorter label moves nothing. */
const widest = fill(authMessages.resendIn, { n: code.resendCooldownSeconds });

export function ResendCode({ sentAtMs, done, onResend }: ResendCodeProps) {
  const [shutUntilMs, setShutUntilMs] = useState(0);
  const left = useCountdown(Math.max(sentAtMs + code.resendCooldownSeconds * 1000, shutUntilMs));
  const [said, setSaid] = useState<{ text: string; ok: boolean }>();
  const [busy, setBusy] = useState(false);

  const resend = async ({ currentTarget: button }: MouseEvent<HTMLButtonElement>) => {
    setBusy(true);
    const { error } = await onResend();
    setBusy(false);
    // The button is disabled afterward, and a disabled button loses the focus.
    const form = document.activeElement === button ? button.form : null;
    if (!error) {
      // The digits were those of the former code.
      form?.querySelector('input')?.focus();
      return setSaid({ text: done, ok: true });
    }
    setSaid({ text: refusalText(error, authMessages.resendFailed), ok: false });
    const { waitTime } = error as Partial<CallError>;
    if (waitTime === undefined) return;
    setShutUntilMs(Date.now() + waitTime * 1000);
    focusEmptyBox(form);
  };

  return (
    <div className="ResendCode">
      <p>
        <span>{codeText.junk}</span>
        <Button kind="text" size="s" busy={busy} disabled={left > 0} onClick={resend}>
          <span className="ResendCode-label" data-widest={widest}>
            {left > 0 ? fill(authMessages.resendIn, { n: left }) : authMessages.resend}
          </span>
        </Button>
      </p>
      <div role="status" className={said?.ok ? 'ResendCode-done' : 'ResendCode-refused'}>
        {said && (
          <>
            <Icon name={said.ok ? 'check' : 'alert'} size={16} />
            <span>{said.text}</span>
          </>
        )}
      </div>
    </div>
  );
}
