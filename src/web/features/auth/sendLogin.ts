/**
 * The first step of the login: checks the form, then asks the bank. It brings the schemas and the API client, so the login page
 * fetches it only when the visitor begins to fill in the form.
 */
import { authApi } from '#contract/auth.ts';
import { checkForm, type FieldErrors } from '#web/base/formRules.ts';
import type { AppDispatch } from '#web/base/store.ts';
import { initiateLogin } from './authCalls.ts';

/** Exactly one is set: the email that a code was sent to, what is wrong in the form, or why the bank refused. */
export type LoginAnswer = { email?: string; errors?: FieldErrors; refusal?: unknown };

export async function sendLogin(
  dispatch: AppDispatch,
  entered: { email: string; password: string },
): Promise<LoginAnswer> {
  const { form, errors } = checkForm(authApi.initiateLogin.body, entered);
  if (errors) return { errors };
  const { error } = await dispatch(initiateLogin.initiate({ body: form }));
  return error ? { refusal: error } : { email: form.email };
}
