/** The registration's fields in five sections, with the error of each field, and the progress while the form is being sent. */
import { type FormEvent, useState } from 'react';
import { phone } from '#contract/constants.ts';
import * as appMessages from '#contract/messages/app.ts';
import * as authMessages from '#contract/messages/auth.ts';
import * as registerMessages from '#contract/messages/register.ts';
import { FileField } from '#web/bank/FileField.tsx';
import { LeaveGuard } from '#web/bank/LeaveGuard.tsx';
import { PasswordKeypadField } from '#web/bank/PasswordKeypadField.tsx';
import * as words from '#web/bank/words.ts';
import { useEarlyInput } from '#web/base/useEarlyInput.ts';
import { WhenHydrated } from '#web/base/WhenHydrated.tsx';
import { Link } from '#web/router/Link.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Progress } from '#web/ui/Progress.tsx';
import { TextField, type TextFieldProps } from '#web/ui/TextField.tsx';
import { registerText } from './authTexts.ts';
import { ErrorSummary } from './ErrorSummary.tsx';
import { GenderChoice } from './GenderChoice.tsx';
import type { Refused } from './RegisterScreen.tsx';
import { RegisterSection } from './RegisterSection.tsx';
import {
  blankTexts,
  type RegistrationField,
  type RegistrationFiles,
  type RegistrationTexts,
} from './registrationForm.ts';
import './RegisterForm.css';

export type RegisterFormProps = {
  refused: Refused | null;
  /** The uploaded percentage as a whole number, while sending. */
  sending: number | undefined;
  /** Called with a changed field, whose error may be cleared. */
  onEdit: (field: RegistrationField) => void;
  onSubmit: (texts: RegistrationTexts, files: RegistrationFiles) => void;
  /** The form was accepted, or probably was, so leaving loses nothing. */
  registered: boolean;
};

const { fields, sections } = registerText;

export function RegisterForm({ refused, sending, onEdit, onSubmit, registered }: RegisterFormProps) {
  const [texts, setTexts] = useState<RegistrationTexts>(blankTexts);
  const [files, setFiles] = useState<RegistrationFiles>({ avatar: null, idCard: null });
  const form = useEarlyInput(entered => setTexts(known => ({ ...known, ...pick(entered) })));
  const errors = refused?.errors ?? {};
  const isEdited = Object.values(texts).some(Boolean) || Object.values(files).some(Boolean);

  const write = (name: keyof RegistrationTexts) => (value: string) => {
    setTexts(known => ({ ...known, [name]: value }));
    onEdit(name);
  };
  const put = (name: keyof RegistrationFiles) => (file: File | null) => {
    setFiles(known => ({ ...known, [name]: file }));
    onEdit(name);
  };
  const putProblem = (name: keyof RegistrationFiles) => (problem: string) =>
    setFiles(known => ({ ...known, [name]: { problem } }));
  const field = (name: keyof RegistrationTexts) => ({
    id: name,
    label: fields[name],
    name,
    value: texts[name],
    onChange: write(name),
    error: errors[name],
  });
  const text = (name: keyof RegistrationTexts, more: Partial<TextFieldProps>) => (
    <TextField {...field(name)} required={!more.optional} {...more} />
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(texts, files);
  };

  return (
    <form ref={form} className="RegisterForm" method="dialog" onSubmit={submit} noValidate>
      {refused && (
        <ErrorSummary
          {...refused}
          fields={fieldOrder.filter(name => errors[name]).map(name => ({ id: name, label: fields[name] }))}
        />
      )}
      <RegisterSection {...sections.person}>
        {text('firstName', { autoComplete: 'given-name' })}
        {text('middleName', { autoComplete: 'additional-name', optional: appMessages.optional })}
        {text('lastName', { autoComplete: 'family-name' })}
        <WhenHydrated>
          <GenderChoice id="gender" value={texts.gender} onChange={write('gender')} error={errors.gender} />
        </WhenHydrated>
      </RegisterSection>
      <RegisterSection {...sections.home}>
        {text('address', {
          autoComplete: 'address-line1',
          className: 'RegisterForm-line',
          hint: registerText.addressHint,
        })}
        {text('region', { autoComplete: 'address-level1', hint: registerText.regionHint })}
        {text('zipCode', { autoComplete: 'postal-code', autoCapitalize: 'characters', spellCheck: false })}
      </RegisterSection>
      <RegisterSection {...sections.contact}>
        {text('email', {
          type: 'email',
          autoComplete: 'email',
          autoCapitalize: 'none',
          spellCheck: false,
          ...(errors.email === registerMessages.emailTaken && { error: <EmailTaken email={texts.email} /> }),
        })}
        {text('phoneNumber', {
          type: 'tel',
          inputMode: 'tel',
          autoComplete: 'tel-national',
          maxLength: phone.digits + maxSeparators,
          hint: registerText.phoneHint,
          figures: true,
        })}
      </RegisterSection>
      <RegisterSection {...sections.password}>
        <WhenHydrated className="RegisterForm-line">
          <PasswordKeypadField
            {...field('password')}
            className="RegisterForm-pad"
            autoComplete="new-password"
          />
        </WhenHydrated>
      </RegisterSection>
      <RegisterSection {...sections.pictures}>
        <WhenHydrated className="RegisterForm-line RegisterForm-files">
          <FileField
            id="avatar"
            label={fields.avatar}
            file={files.avatar instanceof File ? files.avatar : null}
            onPick={put('avatar')}
            onUnreadable={putProblem('avatar')}
            hint={appMessages.imageLimits}
            error={errors.avatar}
            required
          />
          <FileField
            id="idCard"
            label={fields.idCard}
            shape="sheet"
            optional={appMessages.optional}
            file={files.idCard instanceof File ? files.idCard : null}
            onPick={put('idCard')}
            onUnreadable={putProblem('idCard')}
            hint={`${words.idPictureHint}. ${registerText.idCardHint}`}
            error={errors.idCard}
          />
        </WhenHydrated>
      </RegisterSection>
      <WhenHydrated className="RegisterForm-end">
        <Button type="submit" wide busy={sending !== undefined}>
          {registerText.submit}
        </Button>
        <p className="type-small">
          {registerText.terms.before}{' '}
          <a className="link" href="/terms-and-conditions" target="_blank" rel="noreferrer">
            {registerText.terms.link}
            <span className="sr-only"> ({registerText.opensTab})</span>
          </a>
          {registerText.terms.after}
        </p>
        {sending !== undefined && (
          <Progress label={sending < 100 ? registerText.uploading : registerText.waiting} value={sending} />
        )}
      </WhenHydrated>
      <LeaveGuard when={isEdited && !registered} />
    </form>
  );
}

/** Links to the login, with the email filled in, for a visitor who already has an account. */
function EmailTaken({ email }: { email: string }) {
  return (
    <>
      {registerMessages.emailTaken}.{' '}
      <Link className="link" to="/login" state={{ email: email.trim() }}>
        {authMessages.login}
      </Link>
    </>
  );
}

/** How many characters a pasted number, such as `+1 (212) 555-0188`, may have in addition to its ten digits. */
const maxSeparators = 10;

const fieldOrder = Object.keys(fields) as RegistrationField[];

function pick(entered: Record<string, string>): Partial<RegistrationTexts> {
  return Object.fromEntries(Object.entries(entered).filter(([name]) => name in blankTexts));
}
