/** Sets up an authenticator app: shows the QR code and checks the first code. `onConfirmed` gets the recovery codes. */
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import * as appMessages from '#contract/messages/app.ts';
import { Button } from '#web/ui/Button.tsx';
import { copyText } from '#web/ui/copyText.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { TextField } from '#web/ui/TextField.tsx';
import type { AppFactorProps } from './factors.ts';
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
  const formId = useId();
  useEffect(() => {
    if (error && !busy) field.current?.select();
  }, [error, busy]);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const outcome = await acts.confirmApp(code.replace(/\s/g, ''));
    setBusy(false);
    if ('error' in outcome) return setError(outcome.error);
    onConfirmed(outcome.data);
  };
  return (
    <Dialog
      open
      size="m"
      onClose={onClose}
      dismissible={!busy}
      title={texts.setUpTitle}
      description={texts.setUpText}
      initialFocus={field}
      actions={
        <>
          <Button kind="quiet" disabled={busy} onClick={onClose}>
            {appMessages.cancel}
          </Button>
          <Button type="submit" form={formId} busy={busy} busyLabel={texts.turningOn}>
            {texts.turnOn}
          </Button>
        </>
      }
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
          <form id={formId} method="dialog" noValidate onSubmit={event => void submit(event)}>
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
          </form>
        </div>
      </div>
    </Dialog>
  );
}
