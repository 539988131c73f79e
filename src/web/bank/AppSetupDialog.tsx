/** Sets up an authenticator app: shows the QR code and checks the first code. */
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { totp } from '#contract/constants.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import { Button } from '#web/ui/Button.tsx';
import { copyText } from '#web/ui/copyText.ts';
import { TextField } from '#web/ui/TextField.tsx';
import { useFinalFocus } from '#web/ui/useFinalFocus.ts';
import { FormDialog } from './FormDialog.tsx';
import { type AppFactorProps, codeError } from './factors.ts';
import * as texts from './factorTexts.ts';
import { QrCode } from './QrCode.tsx';
import './AppSetupDialog.css';

export type AppSetupDialogProps = Pick<AppFactorProps, 'app' | 'acts'> & {
  started: { secret: string; uri: string };
  /** Gets the focus if the app is on, but its recovery codes cannot be shown. */
  heading: RefObject<HTMLElement | null>;
  onClose: () => void;
  /** Gets the recovery codes; undefined if the answer with them was lost. */
  onConfirmed: (codes?: string[]) => void;
};

export function AppSetupDialog(props: AppSetupDialogProps) {
  const { started, app, acts, heading, onClose, onConfirmed } = props;
  const [code, setCode] = useState('');
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);
  /** An earlier press got no answer and may have turned the app on. */
  const [isUnheard, setIsUnheard] = useState(false);
  const { finalFocus, openerGoes } = useFinalFocus(heading);
  const finishWithoutCodes = () => {
    openerGoes();
    onConfirmed();
  };
  const finishLate = useEffectEvent(finishWithoutCodes);
  const isOn = app.data?.isEnabled;
  useEffect(() => {
    if (isUnheard && isOn && !busy) finishLate();
  }, [isUnheard, isOn, busy]);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (error && !busy) field.current?.select();
  }, [error, busy]);
  const submit = async () => {
    const digits = code.replace(/\s/g, '');
    if (digits.length !== totp.digits) {
      setError(texts.codeIncomplete);
      return field.current?.focus();
    }
    setBusy(true);
    const outcome = await acts.confirmApp(digits);
    const { code: refusal, isUnknown = false } = 'error' in outcome ? outcome : {};
    // The earlier press has turned on the app that this press would turn on.
    const isOnAlready = isUnheard && refusal === 'CONFLICT';
    if (isUnknown) setIsUnheard(true);
    const now = isUnknown || isOnAlready ? await acts.readApp() : undefined;
    setBusy(false);
    if ('data' in outcome) return onConfirmed(outcome.data);
    if (now ? now.isEnabled : isOnAlready) return finishWithoutCodes();
    const lost = now ? errorMessages.actUndone : errorMessages.actUnknown;
    setError(isUnknown ? lost : codeError(outcome.error));
  };
  return (
    <FormDialog
      open
      size="m"
      onClose={onClose}
      finalFocus={isUnheard ? finalFocus : undefined}
      title={texts.setUpTitle}
      description={texts.setUpText}
      initialFocus={field}
      submitLabel={texts.turnOn}
      busy={busy}
      busyLabel={texts.turningOn}
      onSubmit={submit}
    >
      <div className="AppSetupDialog">
        <QrCode text={started.uri} label={texts.qrCode} />
        <div className="AppSetupDialog-side">
          <p className="type-small">{texts.typeInstead}</p>
          <p className="AppSetupDialog-key">{started.secret.replace(/(.{4})(?=.)/g, '$1 ')}</p>
          <Button
            kind="text"
            size="s"
            icon="copy"
            onClick={() =>
              void copyText(started.secret, { copied: texts.keyCopied, failed: texts.copyFailed })
            }
          >
            {texts.copyKey}
          </Button>
          <TextField
            ref={field}
            label={texts.code}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={7}
            figures
            value={code}
            onChange={typed => {
              setCode(typed);
              setError('');
            }}
            error={error}
          />
        </div>
      </div>
    </FormDialog>
  );
}
