/** Sets an administrator's password with the one-time link of an invitation or a reset. The link's token is in the fragment. */
import { type SubmitEvent, useState } from 'react';
import * as errorMessages from '#contract/messages/errors.ts';
import { staffApi } from '#contract/staff.ts';
import { errorMessage } from '#web/base/callError.ts';
import { checkForm, type FieldErrors, focusField } from '#web/base/formRules.ts';
import { useEarlyInput } from '#web/base/useEarlyInput.ts';
import { WhenHydrated } from '#web/base/WhenHydrated.tsx';
import { useLocation } from '#web/router/hooks.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { NightSheet } from '#web/ui/NightSheet.tsx';
import { TextField } from '#web/ui/TextField.tsx';
import { staffWords as words } from '../staff/staffWords.ts';
import { useSetAdminPasswordMutation } from '../staffCalls.ts';
import './AdminLoginScreen.css';

export function SetPasswordScreen() {
  const { hash } = useLocation();
  const [setPassword, { isLoading, data }] = useSetAdminPasswordMutation();
  const [fields, setFields] = useState({ password: '', again: '' });
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failed, setFailed] = useState('');
  const form = useEarlyInput(entered => setFields(known => ({ ...known, ...entered })));

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { password, again } = fields;
    setFailed('');
    const { errors: found = {} } = checkForm(staffApi.setAdminPassword.body, {
      token: hash.slice(1),
      password,
    });
    if (found.token) return setFailed(found.token);
    const wrong: FieldErrors = found.password
      ? { password: found.password }
      : again === password
        ? {}
        : { again: words.mismatch };
    setErrors(wrong);
    const [first] = Object.keys(wrong);
    if (first) return focusField(event.currentTarget, first);
    const answer = await setPassword({ body: { token: hash.slice(1), password } });
    if (answer.error) setFailed(errorMessage(answer.error, errorMessages.fault));
  };

  return (
    <div className="AdminLoginScreen">
      <div className="AdminLoginScreen-card">
        <form ref={form} method="dialog" noValidate onSubmit={event => void submit(event)}>
          <div>
            <h1 className="type-title">{words.setTitle}</h1>
            <p className="AdminLoginScreen-lead">{words.setText}</p>
          </div>
          {data ? (
            <>
              <Banner kind="success" title={data.message} />
              <Button wide to="/admin/login">
                {words.toLogin}
              </Button>
            </>
          ) : (
            <>
              <TextField
                label={words.next}
                name="password"
                type="password"
                autoComplete="new-password"
                hint={words.passwordHint}
                value={fields.password}
                onChange={password => setFields({ ...fields, password })}
                error={errors.password}
              />
              <TextField
                label={words.confirm}
                name="again"
                type="password"
                autoComplete="new-password"
                value={fields.again}
                onChange={again => setFields({ ...fields, again })}
                error={errors.again}
              />
              <WhenHydrated>
                <Button type="submit" wide busy={isLoading} busyLabel={words.setting}>
                  {words.set}
                </Button>
              </WhenHydrated>
              {failed && (
                <>
                  <Banner kind="error" title={failed} />
                  <Button kind="quiet" wide to="/admin/login">
                    {words.toLogin}
                  </Button>
                </>
              )}
            </>
          )}
        </form>
        <NightSheet as="div" art="door" className="AdminLoginScreen-sheet">
          {null}
        </NightSheet>
      </div>
    </div>
  );
}
