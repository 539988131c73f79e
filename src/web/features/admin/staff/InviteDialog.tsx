/** Invites an administrator: name, email and role. */
import { useEffect, useState } from 'react';
import { maxLength } from '#contract/constants.ts';
import { operators, type Role } from '#contract/roles.ts';
import { type StaffMember, staffApi } from '#contract/staff.ts';
import { FormDialog } from '#web/bank/FormDialog.tsx';
import { fieldErrors } from '#web/base/callError.ts';
import { checkForm, errorsWithout, type FieldErrors, focusField } from '#web/base/formRules.ts';
import { TextField } from '#web/ui/TextField.tsx';
import { type Failure, failureOf, requestRefusalText } from '../panel/actRefusalText.ts';
import { useSecondPerson } from '../panel/useSecondPerson.ts';
import { useInviteMemberMutation } from '../staffCalls.ts';
import { type Notice, noticeOf, ownRequestNotice } from '../users/NoticeDialog.tsx';
import { words as panelWords } from '../words.ts';
import { RoleField } from './RoleField.tsx';
import { staffWords as words } from './staffWords.ts';

const blank = { name: '', email: '', role: 'support' as Role };

export type InviteDialogProps = {
  open: boolean;
  /** The administrators, as the list shows them. */
  staff: readonly StaffMember[];
  onClose: () => void;
  onDone: (notice: Notice) => void;
};

export function InviteDialog({ open, staff, onClose, onDone }: InviteDialogProps) {
  const [invite, { isLoading }] = useInviteMemberMutation();
  const [fields, setFields] = useState(blank);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failed, setFailed] = useState<Failure>();
  useEffect(() => {
    if (!open) return;
    setFields(blank);
    setErrors({});
    setFailed(undefined);
  }, [open]);
  const change = (changed: Partial<typeof blank>) => {
    setFields(known => ({ ...known, ...changed }));
    setErrors(known => errorsWithout(known, changed));
  };

  const needsSecond = useSecondPerson(!open)() && (operators as readonly Role[]).includes(fields.role);

  // The answer was lost, and the list shows that the invitation was sent.
  const email = fields.email.trim().toLowerCase();
  const isInvited = failed?.isUnknown === true && staff.some(member => member.email.toLowerCase() === email);

  const submit = async (form: HTMLFormElement) => {
    setFailed(undefined);
    const checked = checkForm(staffApi.inviteMember.body, fields);
    setErrors(checked.errors ?? {});
    if (!checked.form) return focusField(form, Object.keys(checked.errors));
    const answer = await invite({ body: fields });
    if (answer.data) return onDone(noticeOf(answer.data.data, answer.data.message));
    const own = ownRequestNotice(answer.error);
    if (own) return onDone(own);
    setErrors(fieldErrors(answer.error));
    setFailed(failureOf(answer.error, requestRefusalText(answer.error, needsSecond)));
  };

  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={words.inviteTitle}
      description={words.inviteText}
      submitLabel={words.sendInvitation}
      busy={isLoading}
      busyLabel={words.inviting}
      note={needsSecond && panelWords.needsSecond}
      failed={failed}
      isEdited={fields.name !== '' || fields.email !== ''}
      over={isInvited && words.inList}
      onSubmit={submit}
    >
      <TextField
        label={panelWords.name}
        name="name"
        autoComplete="off"
        required
        maxLength={maxLength.name}
        value={fields.name}
        onChange={name => change({ name })}
        error={errors.name}
      />
      <TextField
        label={panelWords.email}
        name="email"
        type="email"
        autoComplete="off"
        required
        maxLength={maxLength.email}
        value={fields.email}
        onChange={email => change({ email })}
        error={errors.email}
      />
      <RoleField value={fields.role} onChange={role => change({ role })} />
    </FormDialog>
  );
}
