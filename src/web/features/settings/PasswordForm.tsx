/**
 * A new password, with the old one to allow it. One keypad serves the three fields: it fills the one that had the focus last,
 * and stands after them, so that the Tab key goes from field to field.
 */
import { type SubmitEvent, useRef, useState } from 'react';
import { messages } from '#contract/messages.ts';
import { settingsApi } from '#contract/settings.ts';
import { checkForm, type FieldErrors } from '#web/base/formRules.ts';
import { selectCustomer } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';
import { Button } from '#web/ui/Button.tsx';
import { classNames } from '#web/ui/classNames.ts';
import { PasswordKeypadField } from '#web/ui/PasswordKeypadField.tsx';
import { PasswordPad } from '#web/ui/PasswordPad.tsx';
import { useChangePasswordMutation } from './settingsCalls.ts';
import { words } from './words.ts';
import './PasswordForm.css';

const texts = messages.settings;
const blank = { currentPassword: '', newPassword: '', confirmPassword: '' };
type Name = keyof typeof blank;
const labels: Record<Name, string> = {
  currentPassword: words.password.current,
  newPassword: words.password.next,
  confirmPassword: words.password.confirm,
};

function judge({ confirmPassword, ...body }: typeof blank) {
  const { form, errors = {} } = checkForm(settingsApi.changePassword.body, body);
  const mismatch = confirmPassword !== body.newPassword && { confirmPassword: texts.passwordMismatch };
  return form && !mismatch ? { form } : { errors: { ...errors, ...mismatch } as FieldErrors };
}

export function PasswordForm() {
  const customer = useAppSelector(selectCustomer);
  const [digits, setDigits] = useState(blank);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [active, setActive] = useState<Name>('currentPassword');
  const [change, { isLoading }] = useChangePasswordMutation();
  const pad = useRef<HTMLDivElement>(null);
  if (!customer) return null;

  const write = (name: Name) => (value: string) => {
    setDigits(before => ({ ...before, [name]: value }));
    setErrors(before => ({ ...before, [name]: '' }));
  };
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { elements } = event.currentTarget;
    const judged = judge(digits);
    setErrors(judged.errors ?? {});
    if (!judged.form) {
      const field = elements.namedItem(Object.keys(judged.errors)[0] ?? '');
      return field instanceof HTMLElement ? field.focus() : undefined;
    }
    const { error } = await change({ body: judged.form, onlyFor: customer._id });
    if (error) return;
    setDigits(blank);
    setActive('currentPassword');
  };
  const field = (name: Name) => (
    <PasswordKeypadField
      id={name}
      className={classNames(active === name && 'PasswordForm-active')}
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
    <form className="PasswordForm" method="dialog" noValidate onSubmit={event => void submit(event)}>
      {/* Tells password managers whose password this is. */}
      <input type="text" autoComplete="username" defaultValue={customer.email} readOnly hidden />
      <div className="PasswordForm-fields">
        {field('currentPassword')}
        {field('newPassword')}
        {field('confirmPassword')}
      </div>
      <div className="PasswordForm-pad" ref={pad}>
        <p className="type-note" aria-hidden="true">
          {words.password.filling}
        </p>
        <PasswordPad controls={active} value={digits[active]} onChange={write(active)} disabled={isLoading} />
      </div>
      <Button type="submit" busy={isLoading} busyLabel={texts.updatingPassword}>
        {texts.updatePassword}
      </Button>
    </form>
  );
}
