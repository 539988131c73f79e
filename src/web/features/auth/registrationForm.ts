/** The registration form's state and its validation before sending, with the contract's own rules. */
import { Registration, requiredRegistrationFields } from '#contract/auth.ts';
import { fill } from '#contract/messages/fill.ts';
import * as registerMessages from '#contract/messages/register.ts';
import { plainPhone } from '#contract/typedNumbers.ts';
import { checkForm, checkImage, type FieldErrors } from '#web/base/formRules.ts';
import { registerText } from './authTexts.ts';

export type RegistrationTexts = Record<keyof Registration, string>;
/** `problem` says why the picked file is not a usable picture. The form is then refused, not sent without the picture. */
type Picked = File | { problem: string } | null;
export type RegistrationFiles = { avatar: Picked; idCard: Picked };
export type RegistrationField = keyof Registration | keyof RegistrationFiles;

export const blankTexts: RegistrationTexts = {
  firstName: '',
  middleName: '',
  lastName: '',
  gender: '',
  address: '',
  region: '',
  zipCode: '',
  email: '',
  phoneNumber: '',
  password: '',
};

/** A refused form: the sentence for the whole form, and the error of each field. */
export type Refusal = { sentence: string; errors: FieldErrors };

/** Either the validated texts, or the refusal. */
export type ValidatedRegistration =
  | { form: Registration; refused?: undefined }
  | { form?: undefined; refused: Refusal };

/** Validates the whole form. Missing fields are listed together by their labels. */
export function validateRegistration(
  texts: RegistrationTexts,
  files: RegistrationFiles,
): ValidatedRegistration {
  const { form, errors: broken = {} } = checkForm(Registration, {
    ...texts,
    phoneNumber: plainPhone(texts.phoneNumber),
  });
  const missing = requiredRegistrationFields.filter(name => texts[name].trim() === '');
  const errors: FieldErrors = { ...broken, ...checkFiles(files) };
  for (const name of missing) errors[name] = registerText.missing;
  if (form && Object.keys(errors).length === 0) return { form };

  const list = missing.map(name => registerText.fields[name]).join(', ');
  const sentence =
    missing.length > 0
      ? fill(registerMessages.missing, { list })
      : (Object.values(errors)[0] ?? registerMessages.failed);
  return { refused: { sentence, errors } };
}

function checkFiles({ avatar, idCard }: RegistrationFiles): FieldErrors {
  const avatarError = avatar === null ? registerMessages.avatar : checkPicked(avatar);
  const idCardError = checkPicked(idCard);
  return { ...(avatarError && { avatar: avatarError }), ...(idCardError && { idCard: idCardError }) };
}

function checkPicked(picked: Picked): string | undefined {
  return picked instanceof File ? checkImage(picked) : picked?.problem;
}
