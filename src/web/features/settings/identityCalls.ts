/** Date of birth and city as `IdentityForm` shows them: the saved values, what is typed, and saving it. */
import { useState } from 'react';
import { settingsApi } from '#contract/settings.ts';
import type { IdentityFormProps } from '#web/bank/IdentityForm.tsx';
import { checkForm, errorsWithout, type FieldErrors } from '#web/base/formRules.ts';
import { selectCustomer } from '#web/base/session.ts';
import { useAppDispatch, useAppSelector } from '#web/base/store.ts';
import { useIdentityQuery, useUpdateIdentityMutation } from './settingsCalls.ts';
import { settingsReset } from './settingsSlice.ts';
import { useFormSave } from './useFormSave.ts';

/** Returns the props of `IdentityForm` for the logged-in customer. The result of saving is in the settings slice. */
export function useIdentityForm(): IdentityFormProps & { isEdited: boolean; isComplete: boolean } {
  const { isFrozen = false } = useAppSelector(selectCustomer) ?? {};
  const dispatch = useAppDispatch();
  const identity = useIdentityQuery();
  const { data } = identity;
  const [update] = useUpdateIdentityMutation();
  const { save, isSaving } = useFormSave(identity, settingsApi.updateIdentity.message);
  const [typed, setTyped] = useState<{ dateOfBirth?: string; city?: string }>({});
  const [errors, setErrors] = useState<FieldErrors>({});
  const saved = data && { dateOfBirth: data.dateOfBirth ?? '', city: data.city ?? '' };
  const isDateFixed = data?.isDateOfBirthVerified ?? false;
  const values = saved && { ...saved, ...typed, ...(isDateFixed && { dateOfBirth: saved.dateOfBirth }) };
  return {
    values,
    errors,
    onChange: changed => {
      setTyped(before => ({ ...before, ...changed }));
      setErrors(before => errorsWithout(before, changed));
    },
    onSave: () => {
      dispatch(settingsReset());
      const checked = checkForm(settingsApi.updateIdentity.body, values);
      setErrors(checked.errors ?? {});
      if (checked.form) void save(checked.form, update);
      return checked.errors && (Object.keys(checked.errors)[0] as 'dateOfBirth' | 'city');
    },
    busy: isSaving,
    isDateFixed,
    disabled: isFrozen,
    isEdited: values?.dateOfBirth !== saved?.dateOfBirth || values?.city.trim() !== saved?.city,
    isComplete: Boolean(saved?.dateOfBirth && saved.city),
  };
}
