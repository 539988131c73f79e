/** The last step of deleting an account: the password. Canceling clears it. */
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import * as appMessages from '#contract/messages/app.ts';
import { fill } from '#contract/messages/fill.ts';
import * as settingsMessages from '#contract/messages/settings.ts';
import { settingsApi } from '#contract/settings.ts';
import { PasswordKeypadField } from '#web/bank/PasswordKeypadField.tsx';
import { nameOf } from '#web/bank/transactionReading.ts';
import type { CallError } from '#web/base/callError.ts';
import { checkForm } from '#web/base/formRules.ts';
import { loggedOut, type SessionCustomer } from '#web/base/session.ts';
import { useAppDispatch } from '#web/base/store.ts';
import { Button } from '#web/ui/Button.tsx';
import { useDeleteAccountMutation } from './settingsCalls.ts';
import { settingsReset } from './settingsSlice.ts';
import { words } from './words.ts';
import './ConfirmDeletion.css';

export type ConfirmDeletionProps = { customer: SessionCustomer; onCancel: () => void };

export function ConfirmDeletion({ customer, onCancel }: ConfirmDeletionProps) {
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState('');
  const [deleteAccount, { isLoading }] = useDeleteAccountMutation();
  const dispatch = useAppDispatch();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  // The field is disabled during the request, and a disabled field cannot take the focus.
  useEffect(() => {
    if (problem && !isLoading) form.current?.querySelector('input')?.focus();
  }, [problem, isLoading]);
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    dispatch(settingsReset());
    const { form: body, errors } = checkForm(settingsApi.deleteAccount.body, { password });
    setProblem(errors?.password ?? '');
    if (!body) return;
    const { error } = await deleteAccount({ body, onlyFor: customer._id });
    // The dashboard's session check redirects to the login, which shows the result.
    if (!error) return void dispatch(loggedOut('deleted'));
    const { code, message } = error as CallError;
    if (code !== 'BAD_PASSWORD') return;
    // The field shows the message, so the notice is not needed.
    dispatch(settingsReset());
    // Masked digits cannot be corrected, only retyped.
    setPassword('');
    setProblem(message);
  };
  const name = nameOf(customer) ?? '';
  return (
    <form
      ref={form}
      className="ConfirmDeletion"
      method="dialog"
      noValidate
      onSubmit={event => void submit(event)}
    >
      <div>
        <h3 className="type-head">{words.deletion.confirmTitle}</h3>
        <p className="type-small">{fill(words.deletion.confirmText, { name })}</p>
      </div>
      <PasswordKeypadField
        label={words.deletion.field}
        name="password"
        autoComplete="current-password"
        autoFocus
        value={password}
        onChange={digits => {
          setPassword(digits);
          setProblem('');
          dispatch(settingsReset());
        }}
        error={problem}
        disabled={isLoading}
      />
      <div>
        <Button kind="quiet" disabled={isLoading} onClick={onCancel}>
          {appMessages.cancel}
        </Button>
        <Button type="submit" kind="danger" busy={isLoading} busyLabel={settingsMessages.deleting}>
          {settingsMessages.confirmDelete}
        </Button>
      </div>
    </form>
  );
}
