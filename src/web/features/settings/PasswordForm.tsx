/**
 * Changes the password, with the current one as proof. One keypad serves all three fields: it fills the one that had the
 * focus last, and comes after them in the tab order.
 */
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import * as settingsMessages from '#contract/messages/settings.ts';
import { settingsApi } from '#contract/settings.ts';
import { PasswordKeypadField } from '#web/bank/PasswordKeypadField.tsx';
import { PasswordPad } from '#web/bank/PasswordPad.tsx';
import * as bankWords from '#web/bank/words.ts';
import { type CallError, mayBeMade } from '#web/base/callError.ts';
import { checkForm, type FieldErrors, focusField } from '#web/base/formRules.ts';
import { selectCustomer } from '#web/base/session.ts';
import { useAppDispatch, useAppSelector } from '#web/base/store.ts';
import { Button } from '#web/ui/Button.tsx';
import { useChangePasswordMutation } from './settingsCalls.ts';
import { settingsReset } from './settingsSlice.ts';
import { type OnEdited, useEdited } from './useEdited.ts';
import { words } from './words.ts';
import './PasswordForm.css';

const blank = { currentPassword: '', newPassword: '', confirmPassword: '' };
type Name = keyof typeof blank;
const labels: Record<Name, string> = {
  currentPassword: words.password.current,
  newPassword: words.password.next,
  confirmPassword: words.password.confirm,
};

function validate({ confirmPassword, ...body }: typeof blank) {
  const { form, errors = {} } = checkForm(settingsApi.changePassword.body, body);
  if (form && form.newPassword === form.currentPassword)
    return { errors: { newPassword: settingsMessages.samePassword } as FieldErrors };
  const mismatch =
    confirmPassword !== body.newPassword
      ? { confirmPassword: settingsMessages.passwordMismatch }
      : confirmPassword === '' && { confirmPassword: bankWords.passwordAgain };
  return form && !mismatch ? { form } : { errors: { ...errors, ...mismatch } as FieldErrors };
}

export function PasswordForm({ onEdited }: { onEdited: OnEdited }) {
  const customer = useAppSelector(selectCustomer);
  const [digits, setDigits] = useState(blank);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [active, setActive] = useState<Name>('currentPassword');
  useEdited('password', Object.values(digits).some(Boolean), onEdited);
  const dispatch = useAppDispatch();
  const [change, { isLoading }] = useChangePasswordMutation();
  /** An earlier press got no answer and may have changed the password. */
  const isUnheard = useRef(false);
  const pad = useRef<HTMLDivElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const [broken, setBroken] = useState('');
  // The fields are disabled during the request, and a disabled field cannot take the focus.
  useEffect(() => {
    if (!broken || isLoading) return;
    focusField(form.current, broken);
    setBroken('');
  }, [broken, isLoading]);
  if (!customer) return null;

  const write = (name: Name) => (value: string) => {
    setDigits(before => ({ ...before, [name]: value }));
    // The mismatch error shows at `confirmPassword`. A change of either new password clears it.
    setErrors(before => ({ ...before, [name]: '', ...(name === 'newPassword' && { confirmPassword: '' }) }));
  };
  const mark = (found: FieldErrors) => {
    setErrors(found);
    setBroken(Object.keys(found)[0] ?? '');
  };
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    dispatch(settingsReset());
    const validated = validate(digits);
    if (!validated.form) return mark(validated.errors);
    setErrors({});
    const { error } = await change({ body: validated.form, onlyFor: customer._id });
    if (error) {
      const { code, message } = error as CallError;
      if (mayBeMade(error as CallError)) isUnheard.current = true;
      if (code !== 'BAD_PASSWORD') return;
      // The field shows the message, so the notice is not needed.
      dispatch(settingsReset());
      return mark({ currentPassword: isUnheard.current ? bankWords.passwordChangedBefore : message });
    }
    isUnheard.current = false;
    setDigits(blank);
    setActive('currentPassword');
  };
  const field = (name: Name) => (
    <PasswordKeypadField
      id={name}
      active={active === name}
      label={labels[name]}
      name={name}
      autoComplete={name === 'currentPassword' ? 'current-password' : 'new-password'}
      warnGuessable={name === 'newPassword'}
      hint={name === 'newPassword' && words.password.hint}
      showPad={false}
      value={digits[name]}
      onChange={write(name)}
      error={errors[name]}
      disabled={isLoading}
      onFocus={() => {
        setActive(name);
        pad.current?.scrollIntoView({ block: 'nearest' });
      }}
    />
  );
  return (
    <form
      ref={form}
      className="PasswordForm"
      method="dialog"
      noValidate
      onSubmit={event => void submit(event)}
    >
      {/* Tells password managers which account this password belongs to. */}
      <input type="text" autoComplete="username" defaultValue={customer.email} readOnly hidden />
      <div className="PasswordForm-fields">
        {field('currentPassword')}
        {field('newPassword')}
        {field('confirmPassword')}
      </div>
      <div className="PasswordForm-pad" ref={pad}>
        <PasswordPad
          shared
          controls={active}
          value={digits[active]}
          onChange={write(active)}
          disabled={isLoading}
        />
      </div>
      <Button type="submit" busy={isLoading} busyLabel={settingsMessages.updatingPassword}>
        {settingsMessages.updatePassword}
      </Button>
    </form>
  );
}
