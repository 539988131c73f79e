/** Sets up an authenticator app: shows the QR code and checks the first code. `onConfirmed` gets the recovery codes. */
import { useEffect, useRef, useState } from 'react';
import { totp } from '#contract/constants.ts';
import { Button } from '#web/ui/Button.tsx';
import { copyText } from '#web/ui/copyText.ts';
import { TextField } from '#web/ui/TextField.tsx';
import { FormDialog } from './FormDialog.tsx';
import { type AppFactorProps, codeError } from './factors.ts';
import * as texts from './factorTexts.ts';
import { QrCode } from './QrCode.tsx';
import './AppSetupDialog.css';

export type AppSetupDialogProps = Pick<AppFactorProps, 'acts'> & {
  started: { secret: string; uri: string };
  onClose: () => void;
  onConfirmed: (codes: string[]) => void;
};

export function AppSetupDialog({ started, acts, onClose, onConfirmed }: AppSetupDialogProps) {
  const [code, setCode] = useState('');
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);
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
    setBusy(false);
    if ('error' in outcome) return setError(codeError(outcome.error));
    onConfirmed(outcome.data);
  };
  return (
    <FormDialog
      open
      size="m"
      onClose={onClose}
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
