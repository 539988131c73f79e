/** Asks an administrator for the password and a second factor, before another factor is added or removed. */
import { type FormEvent, useId, useState } from 'react';
import type { FactorConfirmation } from '#contract/factors.ts';
import * as appMessages from '#contract/messages/app.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import * as texts from '#web/bank/factorTexts.ts';
import { errorMessage } from '#web/base/callError.ts';
import { askForPasskey } from '#web/base/passkeys.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { TextField } from '#web/ui/TextField.tsx';
import { useAdminConfirmOptionsMutation } from './factorsCalls.ts';
import './ConfirmChange.css';

export type ConfirmChangeProps = {
  hasApp: boolean;
  hasPasskey: boolean;
  onConfirm: (confirmation: FactorConfirmation) => void;
  onClose: () => void;
};

export function ConfirmChange({ hasApp, hasPasskey, onConfirm, onClose }: ConfirmChangeProps) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [error, setError] = useState('');
  const [readOptions, { isLoading }] = useAdminConfirmOptionsMutation();
  const formId = useId();
  const confirmWithPasskey = async () => {
    setError('');
    const answer = await readOptions();
    if (!answer.data) return setError(errorMessage(answer.error, errorMessages.fault));
    const credential = await askForPasskey(answer.data.data, { offers: 'dialog' });
    if (!credential) return setError(texts.ceremonyFailed);
    onConfirm({ password, credential });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (hasApp) onConfirm({ password, code: code.trim() });
    else void confirmWithPasskey();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={texts.confirmTitle}
      description={texts.confirmText}
      actions={
        <>
          <Button kind="quiet" onClick={onClose}>
            {appMessages.cancel}
          </Button>
          {hasApp && hasPasskey && (
            <Button kind="quiet" icon="lock" busy={isLoading} onClick={() => void confirmWithPasskey()}>
              {texts.usePasskey}
            </Button>
          )}
          <Button type="submit" form={formId} busy={isLoading && !hasApp}>
            {hasApp ? texts.add : texts.usePasskey}
          </Button>
        </>
      }
    >
      <form id={formId} className="ConfirmChange" method="dialog" noValidate onSubmit={submit}>
        <TextField
          label={texts.password}
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
        />
        {hasApp && (
          <TextField
            label={texts.appOrRecovery}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            value={code}
            onChange={setCode}
          />
        )}
        {error && <Banner kind="error" title={error} />}
      </form>
    </Dialog>
  );
}
