/**
 * The administrator's own account: name, email, role, the password, the authenticator app, and passkeys. If the bank requires
 * a second factor, only the factors are shown until one is set up, because the bank refuses other changes until then.
 */
import { type SubmitEvent, useRef, useState } from 'react';
import { fill } from '#contract/messages/fill.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { staffApi } from '#contract/staff.ts';
import * as texts from '#web/bank/factorTexts.ts';
import * as bankWords from '#web/bank/words.ts';
import { type CallError, mayBeMade } from '#web/base/callError.ts';
import { checkForm, type FieldErrors, focusField } from '#web/base/formRules.ts';
import { selectAdmin } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Slip } from '#web/ui/Slip.tsx';
import { TextField } from '#web/ui/TextField.tsx';
import type { Outcome } from '../panel/actRefusalText.ts';
import { useRole } from '../panel/useRole.ts';
import { ViewHead, type ViewProps } from '../panel/ViewHead.tsx';
import { staffWords as words } from '../staff/staffWords.ts';
import { useChangeAdminPasswordMutation } from '../staffCalls.ts';
import { words as panelWords } from '../words.ts';
import { useAdminAppQuery } from './factorsCalls.ts';
import { OwnFactors } from './OwnFactors.tsx';
import './AccountView.css';

export function AccountView({ menu }: ViewProps) {
  const admin = useAppSelector(selectAdmin);
  const role = useRole();
  const { data: app } = useAdminAppQuery();
  if (!admin) return null;
  return (
    <>
      <ViewHead menu={menu} title={words.account} />
      {app?.mustEnroll && <Banner kind="warning" className="AccountView-enroll" title={texts.mustEnroll} />}
      <div className="AccountView">
        {!app?.mustEnroll && (
          <>
            <Panel label={words.nameAndRole}>
              <h2 className="type-head">{words.nameAndRole}</h2>
              <Slip
                className="AccountView-facts"
                rows={[
                  { label: panelWords.name, value: admin.name },
                  { label: panelWords.email, value: admin.email },
                  { label: words.role, value: role ? staffMessages.roleNames[role] : panelWords.none },
                ]}
              />
              {role && (
                <p className="type-small">
                  {staffMessages.roleDescriptions[role]} {role !== 'owner' && words.roleHint}
                </p>
              )}
            </Panel>
            <Panel label={words.password} className="AccountView-password">
              <h2 className="type-head">{words.password}</h2>
              <PasswordForm email={admin.email} />
            </Panel>
          </>
        )}
        <OwnFactors />
      </div>
    </>
  );
}

const blank = { currentPassword: '', newPassword: '', confirmPassword: '' };

function PasswordForm({ email }: { email: string }) {
  const [change, { isLoading }] = useChangeAdminPasswordMutation();
  const [fields, setFields] = useState(blank);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [outcome, setOutcome] = useState<Outcome>();
  /** An earlier press got no answer and may have changed the password. */
  const isUnheard = useRef(false);

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const mark = (found: FieldErrors) => {
      setErrors(found);
      focusField(form, Object.keys(found));
    };
    setOutcome(undefined);
    const { confirmPassword, ...body } = fields;
    const checked = checkForm(staffApi.changeAdminPassword.body, body);
    const isRepeated = confirmPassword !== '' && confirmPassword === body.newPassword;
    if (!checked.form || !isRepeated)
      return mark({
        ...checked.errors,
        ...(!isRepeated && { confirmPassword: confirmPassword ? words.mismatch : bankWords.passwordAgain }),
      });
    setErrors({});
    const answer = await change({ body });
    if (answer.data) {
      isUnheard.current = false;
      setFields(blank);
      return setOutcome({ kind: 'success', text: answer.data.message });
    }
    const error = answer.error as CallError;
    const { status, code, message } = error;
    if (code === 'BAD_PASSWORD')
      return mark({ currentPassword: isUnheard.current ? bankWords.passwordChangedBefore : message });
    const isUnknown = mayBeMade(error);
    if (isUnknown) isUnheard.current = true;
    if (isUnknown && (typeof status !== 'number' || !message))
      return setOutcome({
        kind: 'warning',
        text: fill(bankWords.passwordUnknown, { button: words.change }),
      });
    return setOutcome({ kind: 'error', text: message });
  };
  const field = (name: keyof typeof blank, label: string, hint?: string) => (
    <TextField
      label={label}
      name={name}
      type="password"
      autoComplete={name === 'currentPassword' ? 'current-password' : 'new-password'}
      hint={hint}
      value={fields[name]}
      onChange={value => setFields(known => ({ ...known, [name]: value }))}
      error={errors[name]}
    />
  );
  return (
    <form className="AccountView-form" method="dialog" noValidate onSubmit={event => void submit(event)}>
      {/* Tells password managers which account this password belongs to. */}
      <input type="text" autoComplete="username" defaultValue={email} readOnly hidden />
      {field('currentPassword', words.current)}
      {field('newPassword', words.next, words.passwordHint)}
      {field('confirmPassword', words.confirm)}
      {outcome && <Banner kind={outcome.kind} title={outcome.text} />}
      <div className="AccountView-send">
        <Button type="submit" busy={isLoading} busyLabel={words.changing}>
          {words.change}
        </Button>
        <span className="type-small">{words.otherSessions}</span>
      </div>
    </form>
  );
}
