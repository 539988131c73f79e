/** Changes a customer's name or email. The administrator states which proof they saw. */
import { useEffect, useState } from 'react';
import { adminCustomersApi, type CustomerRecord, changedFields } from '#contract/adminCustomers.ts';
import { maxLength } from '#contract/constants.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { FormDialog } from '#web/bank/FormDialog.tsx';
import { nameOf } from '#web/bank/transactionReading.ts';
import { fieldErrors } from '#web/base/callError.ts';
import { checkForm, errorsWithout, type FieldErrors, focusField } from '#web/base/formRules.ts';
import { TextAreaField } from '#web/ui/TextAreaField.tsx';
import { TextField } from '#web/ui/TextField.tsx';
import { useChangeCustomerMutation } from '../customerCalls.ts';
import { actRefusalText, type Failure, failureOf, requestRefusalText } from '../panel/actRefusalText.ts';
import { useSecondPerson } from '../panel/useSecondPerson.ts';
import { type Notice, noticeOf, ownRequestNotice } from '../users/NoticeDialog.tsx';
import { words as panelWords } from '../words.ts';
import { detailWords as words } from './detailWords.ts';

export type ChangeDetailsDialogProps = {
  customer: CustomerRecord;
  open: boolean;
  onClose: () => void;
  onDone: (notice: Notice) => void;
};

const fieldsOf = ({ firstName, middleName, lastName, email }: CustomerRecord) => ({
  firstName,
  middleName,
  lastName,
  email,
  reason: '',
});

export function ChangeDetailsDialog({ customer, open, onClose, onDone }: ChangeDetailsDialogProps) {
  const [change, { isLoading }] = useChangeCustomerMutation();
  const [fields, setFields] = useState(() => fieldsOf(customer));
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failed, setFailed] = useState<string | Failure>('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: a refetch must not undo what was typed.
  useEffect(() => {
    if (!open) return;
    setFields(fieldsOf(customer));
    setErrors({});
    setFailed('');
  }, [open]);
  const edit = (edited: Partial<typeof fields>) => {
    setFields(known => ({ ...known, ...edited }));
    setErrors(known => errorsWithout(known, edited));
  };
  const changed = changedFields.filter(name => fields[name].trim() !== customer[name]);

  const needsSecond = useSecondPerson(!open)() && changed.includes('email');
  const isEdited = changed.length > 0 || fields.reason.trim() !== '';

  const submit = async (form: HTMLFormElement) => {
    setFailed('');
    if (changed.length === 0) return setFailed(words.nothingChanged);
    const { reason } = fields;
    const body = { ...Object.fromEntries(changed.map(name => [name, fields[name]])), reason };
    const checked = checkForm(adminCustomersApi.changeCustomer.body, body);
    setErrors(checked.errors ?? {});
    if (!checked.form) return focusField(form, Object.keys(checked.errors));
    const answer = await change({ params: { id: customer._id }, body });
    if (answer.data) return onDone(noticeOf(answer.data.data, answer.data.message));
    const own = ownRequestNotice(answer.error);
    if (own) return onDone(own);
    setErrors(fieldErrors(answer.error));
    const text = actRefusalText(answer.error, nameOf(customer) ?? '');
    setFailed(failureOf(answer.error, requestRefusalText(answer.error, needsSecond, text)));
  };

  const field = (name: (typeof changedFields)[number]) => (
    <TextField
      label={words.fields[name]}
      name={name}
      type={name === 'email' ? 'email' : 'text'}
      autoComplete="off"
      maxLength={name === 'email' ? maxLength.email : maxLength.name}
      optional={name === 'middleName' ? panelWords.optional : undefined}
      value={fields[name]}
      onChange={value => edit({ [name]: value })}
      error={errors[name]}
    />
  );
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={words.title}
      description={[words.text, customer.isVerified && words.nameText, words.emailText]
        .filter(Boolean)
        .join(' ')}
      submitLabel={words.save}
      busy={isLoading}
      busyLabel={words.saving}
      note={needsSecond && (changed.length > 1 ? staffMessages.emailAlone : panelWords.needsSecond)}
      failed={failed}
      isEdited={isEdited}
      onSubmit={submit}
    >
      {field('firstName')}
      {field('middleName')}
      {field('lastName')}
      {field('email')}
      <TextAreaField
        label={words.proof}
        name="reason"
        hint={words.proofHint}
        required
        rows={3}
        maxLength={maxLength.reason}
        value={fields.reason}
        onChange={reason => edit({ reason })}
        error={errors.reason && (fields.reason.trim() ? errors.reason : words.proofMissing)}
      />
    </FormDialog>
  );
}
