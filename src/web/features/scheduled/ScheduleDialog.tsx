/** The form that schedules a transfer or changes one. As the customer types, it shows the rule as a sentence. */
import { type RefObject, useState } from 'react';
import { calendarDay } from '#contract/bankTime.ts';
import { scheduled } from '#contract/constants.ts';
import { fill } from '#contract/messages/fill.ts';
import * as scheduledMessages from '#contract/messages/scheduled.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { centsToDollars, formatCents, typedToCents } from '#contract/money.ts';
import { describeRule, shortName } from '#contract/ruleText.ts';
import {
  type Frequency,
  frequencies,
  lastDate,
  type ScheduledTransfer,
  scheduledApi,
} from '#contract/scheduled.ts';
import { plainNumber } from '#contract/typedNumbers.ts';
import { AmountField } from '#web/bank/AmountField.tsx';
import { atField, bankOf, choiceOf } from '#web/bank/banks.ts';
import { DescriptionField } from '#web/bank/DescriptionField.tsx';
import { ExternalFields } from '#web/bank/ExternalFields.tsx';
import { FormDialog } from '#web/bank/FormDialog.tsx';
import { HolderField } from '#web/bank/HolderField.tsx';
import { useHolder } from '#web/bank/holder.ts';
import type { ScheduleDraft } from '#web/bank/scheduleDraft.ts';
import { chooseDate, frequencyNames } from '#web/bank/words.ts';
import { fieldErrors, forgetFieldErrors, newestError, savingError } from '#web/base/callError.ts';
import { checkForm, differ, type FieldErrors, focusField, isUnchanged } from '#web/base/formRules.ts';
import { selectCustomer } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';
import { type ActedOn, useActs } from '#web/base/useActs.ts';
import { useListPayeesQuery } from '#web/features/transfer/payeesCalls.ts';
import { useVerifyAccountQuery } from '#web/features/transfer/transferCalls.ts';
import { Icon } from '#web/ui/Icon.tsx';
import { SelectField } from '#web/ui/SelectField.tsx';
import { TextField } from '#web/ui/TextField.tsx';
import { useFinalFocus } from '#web/ui/useFinalFocus.ts';
import { useAddScheduledMutation, useChangeScheduledMutation } from './scheduledCalls.ts';
import {
  type Ends,
  emptyForm,
  type Form,
  formOf,
  leftFrom,
  receiverFields,
  whenToday,
} from './scheduleForm.ts';
import { words } from './words.ts';
import './ScheduleDialog.css';

export type ScheduleDialogProps = {
  /** The schedule to change; undefined to add one. */
  schedule: ScheduledTransfer | undefined;
  /** The list. The form is busy until the list shows what was saved. */
  schedules: ActedOn<ScheduledTransfer[]>;
  /** The initial values of a new schedule. */
  draft?: ScheduleDraft | undefined;
  /** Gets the focus after adding, because the button that opened the form may be gone. */
  heading: RefObject<HTMLElement | null>;
  onClose: () => void;
};

export function ScheduleDialog({ schedule, schedules, draft, heading, onClose }: ScheduleDialogProps) {
  const { accountNumber: own = '' } = useAppSelector(selectCustomer) ?? {};
  const [form, setForm] = useState(
    schedule ? formOf(schedule) : { ...emptyForm, ...draft, ...choiceOf(draft?.bankName ?? '') },
  );
  const [before] = useState(form);
  const isEdited = differ(form, before);
  // One key per dialog, so that a second press after a lost answer does not schedule a second transfer.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const { data: payees = [] } = useListPayeesQuery();
  const [add, adding] = useAddScheduledMutation();
  const [change, changing] = useChangeScheduledMutation();
  const { act, busy, failed: notSaved } = useActs(schedules, words.notChanged);
  const isGone = schedule && schedules.data?.every(({ _id }) => _id !== schedule._id);
  const failed = newestError(adding, changing);
  const { finalFocus, openerGoes } = useFinalFocus(heading);
  const set = (changed: Partial<Form>) => {
    setForm(before => ({ ...before, ...changed }));
    forgetFieldErrors(adding, changing);
  };
  const payee = payees.find(({ _id }) => _id === form.to);
  const isInternal = payee?.kind === 'internal' || form.to === 'internal';
  // A payee is looked up too, because the holder may have closed the account.
  const number = payee?.accountNumber ?? form.receiverAccountNumber;
  const { holder, again } = useHolder(useVerifyAccountQuery, isInternal ? number : '', own);
  const name =
    schedule?.name ??
    payee?.name ??
    (form.to === 'external' ? form.accountName : holder.state === 'found' ? holder.found.accountName : '');
  const cents = typedToCents(form.amount);
  const today = calendarDay(new Date());
  const repeats = form.frequency !== 'once';
  const ending = {
    ...(repeats && form.ends === 'date' && { endDate: form.endDate }),
    ...(repeats && form.ends === 'count' && { count: Number(form.count) }),
  };
  const rule = { startDate: form.startDate, frequency: form.frequency, ...ending };
  // If date and frequency are unchanged, the dates keep the day they began with: the 31st, even if the next is February 28.
  const goesOn = form.startDate === schedule?.nextDate && form.frequency === schedule.frequency;
  const describe = () => describeRule(goesOn ? { ...rule, startDate: schedule.startDate } : rule);
  const amount = cents === undefined ? Number.NaN : centsToDollars(cents);
  const { description } = form;
  const newBody = {
    ...(isInternal
      ? { kind: 'internal' as const, receiverAccountNumber: plainNumber(number) }
      : {
          kind: 'external' as const,
          bankName: payee?.bankName ?? bankOf(form),
          accountName: payee?.name ?? form.accountName,
          accountNumber: plainNumber(number),
        }),
    amount,
    description,
    ...rule,
  };
  const changedBody = {
    amount,
    description,
    // Sent only if changed, because a start date or a frequency makes the bank start the dates over.
    ...(form.startDate !== schedule?.nextDate && { startDate: form.startDate }),
    ...(form.frequency !== schedule?.frequency && { frequency: form.frequency }),
    endDate: ending.endDate ?? null,
    // The form counts from the next date. The bank counts from the first one, unless the dates start over.
    count:
      goesOn && ending.count && ending.count > 0 ? ending.count + schedule.datesPast : (ending.count ?? null),
  };
  /** Renames the errors of the contract's fields to the fields of this form, which are named like the transfer form's. */
  const atFields = (errors: FieldErrors): FieldErrors =>
    Object.fromEntries(
      Object.entries(errors).map(([name, message]) => {
        const at = atField(name, message, form);
        return payee && receiverFields.includes(at[0]) ? ['to', message] : at;
      }),
    );
  const { errors: broken = {} } = schedule
    ? checkForm(scheduledApi.changeScheduled.body, changedBody)
    : checkForm(scheduledApi.addScheduled.body, newBody);
  const isClosed = payee !== undefined && holder.state === 'unknown';
  const errors: FieldErrors = {
    ...(!schedule && !payee && form.to !== 'internal' && form.to !== 'external' && { to: words.chooseTo }),
    ...(isClosed && { to: holder.message }),
    ...atFields(broken),
    ...(form.startDate < today &&
      form.startDate !== schedule?.nextDate && { startDate: scheduledMessages.startDate }),
    // The value of a field with February 30 is empty too.
    ...(form.startDate === '' && { startDate: chooseDate }),
    ...(ending.endDate && ending.endDate < form.startDate && { endDate: scheduledMessages.endDate }),
    ...(ending.endDate === '' && { endDate: words.chooseLast }),
  };
  const isLookedUp = form.to !== 'internal' || holder.state === 'found';
  const isReady = Object.keys(errors).length === 0 && isLookedUp;
  // The first press shows what is missing. From then on each field is checked while it is typed. Fields that appear with
  // another choice are checked after the next press.
  const [pressed, setPressed] = useState<Form>();
  const refused = atFields(fieldErrors(failed));
  const shown = [
    ...(schedule ? [] : ['to']),
    ...(form.to === 'external' ? receiverFields : []),
    'amount',
    'description',
    'startDate',
    ...(repeats && form.ends === 'date' ? ['endDate'] : []),
    ...(repeats && form.ends === 'count' ? ['count'] : []),
  ];
  const wrong: FieldErrors = pressed ? { ...refused, ...errors } : {};
  if (isClosed) wrong.to = holder.message;
  if (pressed?.to !== form.to) for (const field of receiverFields) delete wrong[field];
  if (pressed?.bankName !== form.bankName) delete wrong.customBankName;
  if (pressed?.ends !== form.ends) delete wrong.endDate;

  const save = async (element: HTMLFormElement) => {
    setPressed(form);
    if (!isReady)
      return focusField(element, [...Object.keys(errors), ...(isLookedUp ? [] : ['receiverAccountNumber'])]);
    const confirms = fill(words.confirms, {
      amount: formatCents(cents ?? 0n),
      name,
      rule: describe(),
    });
    const send = () =>
      schedule
        ? change({ params: { id: schedule._id }, confirms, body: changedBody })
        : add({ idempotencyKey, confirms, body: newBody });
    // After a lost answer, the same press again is safe, so the form of a new transfer stays until the bank has answered.
    const isUndone = (all: ScheduledTransfer[]) => {
      const now = schedule && all.find(({ _id }) => _id === schedule._id);
      if (!now) return true;
      // Either sign shows that the chosen date was saved: `nextDate` alone also moves when a date passes, and `startDate` stays
      // the same when a skipped date is chosen again.
      const hasDate = now.startDate !== schedule.startDate || now.nextDate === form.startDate;
      const startDate = hasDate ? form.startDate : schedule.nextDate;
      return isUnchanged(changedBody, { ...schedule, startDate: schedule.nextDate }, { ...now, startDate });
    };
    const { hasWorked, error } = await act('save', send, isUndone);
    if (!hasWorked) return focusField(element, Object.keys(atFields(fieldErrors(error))));
    if (!schedule) openerGoes();
    onClose();
  };

  return (
    <FormDialog
      open
      onClose={onClose}
      finalFocus={finalFocus}
      size="m"
      title={schedule ? words.changeTitle : words.addTitle}
      submitLabel={schedule ? words.save : words.schedule}
      isEdited={isEdited}
      busy={busy !== undefined}
      busyLabel={words.working}
      failed={savingError(
        adding.error,
        changing.error && (isGone ? scheduledMessages.gone : notSaved),
        shown.some(field => field in refused),
        { ...words.addition, fallback: words.notChanged },
      )}
      onSubmit={save}
    >
      {!schedule && (
        <SelectField
          label={words.to}
          name="to"
          error={wrong.to}
          required
          placeholder={words.chooseTo}
          value={form.to}
          onChange={to => set({ to, receiverAccountNumber: '' })}
          options={[
            ...(payees.length > 0
              ? [
                  {
                    label: words.payees,
                    options: payees.map(one => ({
                      value: one._id,
                      label: [one.nickname ?? one.name, one.bankName].filter(Boolean).join(' · '),
                    })),
                  },
                ]
              : []),
            {
              label: words.others,
              options: [
                { value: 'internal', label: words.newInternal },
                { value: 'external', label: words.newExternal },
              ],
            },
          ]}
        />
      )}
      {form.to === 'internal' && (
        <HolderField
          name="receiverAccountNumber"
          label={transferMessages.receiver}
          hint={words.numberHint}
          value={form.receiverAccountNumber}
          onChange={receiverAccountNumber => set({ receiverAccountNumber })}
          holder={holder}
          onAgain={again}
          isMissing={pressed?.to === form.to}
          guided
        >
          {({ accountName }) => (
            <b>
              {accountName}
              <Icon name="check" size={18} label={words.verified} />
            </b>
          )}
        </HolderField>
      )}
      {form.to === 'external' && (
        <ExternalFields form={form} onChange={set} errorOf={field => wrong[field]} />
      )}
      <AmountField
        name="amount"
        label={transferMessages.amount}
        value={form.amount}
        onChange={amount => set({ amount })}
        error={wrong.amount}
      />
      <DescriptionField
        value={form.description}
        onChange={description => set({ description })}
        error={wrong.description}
      />
      <div className="FormDialog-pair">
        <SelectField
          label={words.frequency}
          value={form.frequency}
          onChange={frequency => set({ frequency: frequency as Frequency })}
          options={frequencies.map(value => ({ value, label: frequencyNames[value] }))}
        />
        <TextField
          label={repeats ? (schedule ? words.nextDate : words.firstDate) : words.date}
          name="startDate"
          type="date"
          min={today}
          max={lastDate()}
          value={form.startDate}
          onChange={startDate =>
            set({
              startDate,
              // Unless the customer has chosen another number of times.
              ...(form.count === leftFrom(schedule, form.startDate) && {
                count: leftFrom(schedule, startDate),
              }),
            })
          }
          error={wrong.startDate}
        />
      </div>
      {repeats && (
        <div className="FormDialog-pair">
          <SelectField
            label={words.ends}
            value={form.ends}
            onChange={ends => set({ ends: ends as Ends })}
            options={[
              { value: 'never', label: words.never },
              { value: 'date', label: words.onDay },
              { value: 'count', label: words.afterCount },
            ]}
          />
          {form.ends === 'date' && (
            <TextField
              label={words.lastDate}
              name="endDate"
              type="date"
              min={form.startDate || today}
              max={lastDate()}
              value={form.endDate}
              onChange={endDate => set({ endDate })}
              error={wrong.endDate}
            />
          )}
          {form.ends === 'count' && (
            <TextField
              label={schedule ? words.countLeft : words.count}
              name="count"
              type="number"
              inputMode="numeric"
              min={1}
              max={scheduled.maxCount}
              value={form.count}
              onChange={count => set({ count })}
              error={wrong.count}
            />
          )}
        </div>
      )}
      <p className="ScheduleDialog-sentence" role="status">
        {isReady
          ? fill(repeats ? (schedule ? words.previewChange : words.preview) : words.previewOnce, {
              amount: formatCents(cents ?? 0n),
              name,
              rule: describe(),
              day: shortName(form.startDate),
            })
          : words.previewEmpty}
        {schedule?.status === 'paused'
          ? ` ${words.nextPaused}`
          : isReady &&
            form.startDate === today &&
            ` ${fill(words.previewToday, { when: whenToday(words.onSaving) })}`}
      </p>
    </FormDialog>
  );
}
