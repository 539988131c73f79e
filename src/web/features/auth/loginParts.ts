/**
 * What the login needs once its form is filled in: the check of the form, the calls, the code step and the result dialog. It
 * brings the API client, the schemas and the dialog, two thirds of the login's script, so `laterLogin.ts` fetches it later.
 */
import { authApi } from '#contract/auth.ts';
import { checkForm, type FieldErrors } from '#web/base/formRules.ts';
import type { AppDispatch } from '#web/base/store.ts';
import { initiateLogin, passkeyLogin, passkeyLoginOptions } from './authCalls.ts';

export { ResultDialog } from '#web/bank/ResultDialog.tsx';
export { CodeStep } from './CodeStep.tsx';

/** One of `email`, `errors` and `refusal` is set: the accepted email, what is wrong in the form, or why the bank refused. */
export type LoginAnswer = {
  email?: string;
  /** Set only with `email`: no code was mailed, because it comes from the customer's app. */
  usesApp?: boolean;
  errors?: FieldErrors;
  refusal?: unknown;
};

/** The first step of the login: checks the form, then asks the bank. */
export async function sendLogin(
  dispatch: AppDispatch,
  entered: { email: string; password: string },
): Promise<LoginAnswer> {
  const { form, errors } = checkForm(authApi.initiateLogin.body, entered);
  if (errors) return { errors };
  const { data, error } = await dispatch(initiateLogin.initiate({ body: form }));
  return data ? { email: form.email, usesApp: data.data.methods.includes('totp') } : { refusal: error };
}

/** Requests the options of a login with a passkey. */
export const getPasskeyOptions = (dispatch: AppDispatch) => dispatch(passkeyLoginOptions.initiate());

/** Logs in with a passkey alone. */
export const sendPasskey = (dispatch: AppDispatch, call: Parameters<typeof passkeyLogin.initiate>[0]) =>
  dispatch(passkeyLogin.initiate(call));
