/** Date of birth and city: what a customer adds to the registration. */
import { type SubmitEvent, useRef } from 'react';
import * as settingsMessages from '#contract/messages/settings.ts';
import { Button } from '#web/ui/Button.tsx';
import { TextField } from '#web/ui/TextField.tsx';
import * as words from './words.ts';
import './IdentityForm.css';

type Values = { dateOfBirth: string; city: string };

export type IdentityFormProps = {
  /** Empty until given; undefined while they are loading. */
  values: Values | undefined;
  onChange: (changed: Partial<Values>) => void;
  errors: Partial<Record<keyof Values, string>>;
  /** Saves the form. Returns the name of the first wrong field, if there is one. */
  onSave: () => keyof Values | undefined;
  busy: boolean;
  /** The date of birth was verified with the ID document. */
  isDateFixed: boolean;
  disabled: boolean;
};

export function IdentityForm(props: IdentityFormProps) {
  const { values, onChange, errors, onSave, busy, isDateFixed, disabled } = props;
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const wrong = onSave();
    if (wrong) form.current?.querySelector<HTMLInputElement>(`[name=${wrong}]`)?.focus();
  };
  const isClosed = disabled || !values;
  return (
    <form ref={form} className="IdentityForm" method="dialog" noValidate onSubmit={submit}>
      <TextField
        label={words.dateOfBirth}
        name="dateOfBirth"
        type="date"
        autoComplete="bday"
        figures
        required
        value={values?.dateOfBirth ?? ''}
        onChange={dateOfBirth => onChange({ dateOfBirth })}
        error={errors.dateOfBirth}
        hint={isDateFixed && words.dateOfBirthFixed}
        disabled={isClosed || isDateFixed}
      />
      <TextField
        label={words.city}
        name="city"
        autoComplete="address-level2"
        required
        value={values?.city ?? ''}
        onChange={city => onChange({ city })}
        error={errors.city}
        disabled={isClosed}
      />
      {!disabled && (
        <Button type="submit" disabled={!values} busy={busy} busyLabel={settingsMessages.saving}>
          {settingsMessages.save}
        </Button>
      )}
    </form>
  );
}
