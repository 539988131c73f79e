/** Opening an account: one form, sent with its pictures, answered in a modal. Registering does not log the visitor in. */
import { lazy, Suspense, useRef, useState } from 'react';
import { registration } from '#contract/constants.ts';
import * as authMessages from '#contract/messages/auth.ts';
import { fill } from '#contract/messages/fill.ts';
import * as registerMessages from '#contract/messages/register.ts';
import { type CallError, fieldErrors, isUncertain } from '#web/base/callError.ts';
import { useNavigate } from '#web/router/hooks.ts';
import { Link } from '#web/router/Link.tsx';
import { useLastKnown } from '#web/ui/useLastKnown.ts';
import { AuthPage } from './AuthPage.tsx';
import { useRegisterMutation } from './authCalls.ts';
import { registerText, unsureTitle } from './authTexts.ts';
import { NextSteps } from './NextSteps.tsx';
import { RegisterForm } from './RegisterForm.tsx';
import { refusalText } from './refusalText.ts';
import {
  type Refusal,
  type RegistrationField,
  type RegistrationFiles,
  type RegistrationTexts,
  validateRegistration,
} from './registrationForm.ts';

const loadResult = () => import('./RegisterResult.tsx');
// Loaded at the form's first change, so that the page's first packets do not contain its styles, and so that the result can be
// shown even if the connection breaks.
const RegisterResult = lazy(async () => ({ default: (await loadResult()).RegisterResult }));

/** A refusal and its attempt number: each new attempt moves the focus to the summary again. */
export type Refused = Refusal & { attempt: number };

export function RegisterScreen() {
  const navigate = useNavigate();
  const [refused, setRefused] = useState<Refused | null>(null);
  const [result, setResult] = useState<{ ok: boolean; title: string; message: string; email: string }>();
  const lastResult = useLastKnown(result);
  const [percent, setPercent] = useState(0);
  const [register, { isLoading }] = useRegisterMutation();

  /** The email of an attempt that the bank may have carried out although no answer came. */
  const unsureEmail = useRef('');
  /** The field to focus after a refusal that one field caused. */
  const fieldToFocus = useRef<HTMLElement>(null);
  const refuse = (next: Refusal | null) =>
    setRefused(before => next && { ...next, attempt: (before?.attempt ?? 0) + 1 });
  const submit = async (texts: RegistrationTexts, files: RegistrationFiles) => {
    const validated = validateRegistration(texts, files);
    refuse(validated.refused ?? null);
    if (validated.refused) return;
    setPercent(0);
    const answer = await register({
      body: validated.form,
      files: {
        avatar: files.avatar instanceof File ? files.avatar : undefined,
        idCard: files.idCard instanceof File ? files.idCard : undefined,
      },
      onProgress: setPercent,
      timeoutMs: registration.timeoutMs,
    });
    if (answer.data) {
      fieldToFocus.current = null;
      const title = fill(registerText.doneTitle, { firstName: validated.form.firstName });
      setResult({ ok: true, title, message: registerMessages.done, email: answer.data.data.email });
    } else {
      const message = registrationRefusal(answer.error);
      const { code } = answer.error as CallError;
      const errors = code === 'CONFLICT' ? { email: message } : fieldErrors(answer.error);
      const [wrong] = Object.keys(errors);
      fieldToFocus.current = wrong === undefined ? null : document.getElementById(wrong);
      const isPicture = wrong === 'avatar' || wrong === 'idCard';
      if (Object.keys(errors).length > 0) refuse({ sentence: message, errors });
      const { email } = validated.form;
      const isRepeated = code === 'CONFLICT' && email === unsureEmail.current;
      const isUnsure = isUncertain(answer.error as CallError);
      if (isUnsure) unsureEmail.current = email;
      setResult({
        ok: false,
        title: isUnsure || isRepeated ? unsureTitle : registerText.failedTitle,
        message: isRepeated
          ? registerText.mayBeDone
          : isPicture
            ? `${registerText.fields[wrong]}: ${message}`
            : message,
        email: '',
      });
    }
  };
  const edit = (field: RegistrationField) => {
    loadResult().catch(() => {});
    if (!refused?.errors[field]) return;
    const { [field]: _, ...errors } = refused.errors;
    setRefused(Object.keys(errors).length > 0 ? { ...refused, errors } : null);
  };
  // The bank probably has this form already, unless the person has corrected the email that is taken.
  const mayBeDone = lastResult?.message === registerText.mayBeDone && Boolean(refused?.errors.email);
  const close = () => {
    setResult(undefined);
    // The dialog returns the focus without scrolling, and on a phone the field is rarely in view.
    fieldToFocus.current?.scrollIntoView({ block: 'center' });
    if (result?.ok) void navigate('/');
  };

  return (
    <AuthPage
      wide
      quote={registerText.quote}
      promise={registerText.promise}
      more={<NextSteps />}
      foot={<HaveOne />}
    >
      <h1 className="type-title">{registerText.title}</h1>
      <p className="type-small">
        {registerText.lead} {registerText.optionalNote}
      </p>
      <RegisterForm
        refused={refused}
        sending={isLoading ? percent : undefined}
        onEdit={edit}
        onSubmit={submit}
        registered={lastResult?.ok === true || mayBeDone}
      />
      {lastResult && (
        <Suspense>
          <RegisterResult
            open={result !== undefined}
            ok={lastResult.ok}
            title={lastResult.title}
            message={lastResult.message}
            onClose={close}
            finalFocus={fieldToFocus}
            onProceed={() =>
              navigate('/login', { state: { say: registerMessages.doneLogin, email: lastResult.email } })
            }
          />
        </Suspense>
      )}
    </AuthPage>
  );
}

function registrationRefusal(error: unknown): string {
  const { status } = error as Partial<CallError>;
  if (status === 'TIMEOUT') return registerMessages.timeout;
  if (status === 'NETWORK') return registerMessages.network;
  return refusalText(error, registerMessages.failed);
}

function HaveOne() {
  return (
    <>
      {registerText.haveOne}{' '}
      <Link className="link" to="/login">
        {authMessages.login}
      </Link>
    </>
  );
}
