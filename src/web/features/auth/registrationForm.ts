/** What the registration form holds, and how it is judged before anything is sent: by the contract's own rules. */
import { Registration, requiredRegistrationFields } from '#contract/auth.ts';
import { fill } from '#contract/messages/fill.ts';
import * as registerMessages from '#contract/messages/register.ts';
import { checkForm, type FieldErrors, judgeImage } from '#web/base/formRules.ts';
import { registerText } from './authTexts.ts';

export type RegistrationTexts = Record<keyof Registration, string>;
/** A `problem` says of what was picked that it is no picture; the form is not sent as if there had been none. */
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

/** What keeps the form from being accepted: the sentence for the whole, and what each field says. */
export type Refusal = { sentence: string; errors: FieldErrors };

/** Either the texts ready to be sent, or the refusal. */
export type Judged = { form: Registration; refused?: undefined } | { form?: undefined; refused: Refusal };

/** Judges the whole form. Missing fields are named together, by the words that stand beside them. */
export function judgeRegistration(texts: RegistrationTexts, files: RegistrationFiles): Judged {
  const { form, errors: broken = {} } = checkForm(Registration, texts);
  const missing = requiredRegistrationFields.filter(name => texts[name].trim() === '');
  const errors: FieldErrors = { ...broken, ...judgeFiles(files) };
  for (const name of missing) errors[name] = registerText.missing;
  if (form && Object.keys(errors).length === 0) return { form };

  const list = missing.map(name => registerText.fields[name]).join(', ');
  const sentence =
    missing.length > 0
      ? fill(registerMessages.missing, { list })
      : (Object.values(errors)[0] ?? registerMessages.failed);
  return { refused: { sentence, errors } };
}

function judgeFiles({ avatar, idCard }: RegistrationFiles): FieldErrors {
  const avatarError = avatar === null ? registerMessages.avatar : judgePicked(avatar);
  const idCardError = judgePicked(idCard);
  return { ...(avatarError && { avatar: avatarError }), ...(idCardError && { idCard: idCardError }) };
}

function judgePicked(picked: Picked): string | undefined {
  return picked instanceof File ? judgeImage(picked) : picked?.problem;
}
