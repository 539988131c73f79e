/** Asks an administrator for the password and a second factor, before another factor is added or a passkey is removed. */
import { useState } from 'react';
import type { FactorConfirmation } from '#contract/factors.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import { FormDialog } from '#web/bank/FormDialog.tsx';
import * as texts from '#web/bank/factorTexts.ts';
import { errorMessage } from '#web/base/callError.ts';
import { askForPasskey } from '#web/base/passkeys.ts';
import { Button } from '#web/ui/Button.tsx';
import { TextField } from '#web/ui/TextField.tsx';
import { useAdminConfirmOptionsMutation } from './factorsCalls.ts';

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
  const confirmWithCode = () =>
    password && code.trim() ? onConfirm({ password, code: code.trim() }) : setError(errorMessages.required);
  const confirmWithPasskey = async () => {
    if (!password) return setError(errorMessages.required);
    setError('');
    const answer = await readOptions();
    if (!answer.data) return setError(errorMessage(answer.error, errorMessages.fault));
    const credential = await askForPasskey(answer.data.data, { offers: 'dialog' });
    if (!credential) return setError(texts.ceremonyFailed);
    onConfirm({ password, credential });
  };
  return (
    <FormDialog
      open
      onClose={onClose}
      title={texts.confirmTitle}
      description={texts.confirmText}
      submitLabel={hasApp ? texts.add : texts.usePasskey}
      busy={isLoading && !hasApp}
      other={
        hasApp &&
        hasPasskey && (
          <Button kind="quiet" icon="lock" busy={isLoading} onClick={() => void confirmWithPasskey()}>
            {texts.usePasskey}
          </Button>
        )
      }
      failed={error}
      onSubmit={hasApp ? confirmWithCode : confirmWithPasskey}
    >
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
    </FormDialog>
  );
}
