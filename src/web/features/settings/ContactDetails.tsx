/** Phone and address, prefilled with the saved values. Refetching the profile keeps what is typed. */
import { type SubmitEvent, useState } from 'react';
import type { Customer } from '#contract/entities.ts';
import { settingsApi } from '#contract/settings.ts';
import { formatPhone, plainPhone } from '#contract/typedNumbers.ts';
import { checkForm, type FieldErrors, focusField } from '#web/base/formRules.ts';
import { useAppDispatch } from '#web/base/store.ts';
import type { ActedOn } from '#web/base/useActs.ts';
import { TextField, type TextFieldProps } from '#web/ui/TextField.tsx';
import { SaveButton } from './SaveButton.tsx';
import { useUpdateContactMutation } from './settingsCalls.ts';
import { settingsReset } from './settingsSlice.ts';
import { type OnEdited, useEdited } from './useEdited.ts';
import { useFormSave } from './useFormSave.ts';
import { words } from './words.ts';
import './ContactDetails.css';

type Contact = Pick<Customer, 'phoneNumber' | 'address' | 'region' | 'zipCode'>;

export type ContactDetailsProps = {
  saved: Contact;
  /** Reads them again. */
  refetch: ActedOn<Contact>['refetch'];
  frozen: boolean;
  onEdited: OnEdited;
};

export function ContactDetails({ saved, refetch, frozen, onEdited }: ContactDetailsProps) {
  const [typed, setTyped] = useState<Partial<Contact>>({});
  const [errors, setErrors] = useState<FieldErrors>({});
  const dispatch = useAppDispatch();
  const [update] = useUpdateContactMutation();
  const { save, isSaving } = useFormSave({ data: saved, refetch }, settingsApi.updateContact.message);
  const { phoneNumber, address, region, zipCode } = {
    ...saved,
    phoneNumber: formatPhone(saved.phoneNumber),
    ...typed,
  };

  const entered = {
    phoneNumber: plainPhone(phoneNumber),
    address: address.trim(),
    region: region.trim(),
    zipCode: zipCode.trim(),
  };
  const isEdited = (Object.keys(entered) as (keyof Contact)[]).some(name => entered[name] !== saved[name]);
  useEdited('contact', isEdited, onEdited);

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    dispatch(settingsReset());
    const checked = checkForm(settingsApi.updateContact.body, entered);
    setErrors(checked.errors ?? {});
    if (checked.form) return void save(checked.form, update);
    focusField(event.currentTarget, Object.keys(checked.errors)[0]);
  };
  const text = (name: keyof Contact, more: Partial<TextFieldProps>) => (
    <TextField
      label={words.fields[name]}
      name={name}
      value={{ phoneNumber, address, region, zipCode }[name]}
      onChange={value => {
        setTyped(before => ({ ...before, [name]: value }));
        setErrors(before => ({ ...before, [name]: '' }));
      }}
      error={errors[name]}
      disabled={frozen}
      required
      {...more}
    />
  );
  return (
    <form className="ContactDetails" method="dialog" noValidate onSubmit={submit}>
      {text('phoneNumber', {
        type: 'tel',
        inputMode: 'tel',
        autoComplete: 'tel-national',
        hint: words.phoneHint,
        figures: true,
        className: 'ContactDetails-line',
      })}
      {text('address', { autoComplete: 'address-line1', className: 'ContactDetails-line' })}
      {text('region', { autoComplete: 'address-level1' })}
      {text('zipCode', { autoComplete: 'postal-code', autoCapitalize: 'characters', spellCheck: false })}
      <div className="ContactDetails-line">
        <SaveButton frozen={frozen} busy={isSaving} />
      </div>
    </form>
  );
}
