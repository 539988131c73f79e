/** The form that adds a savings goal or changes one. */
import { type RefObject, useState } from 'react';
import { calendarDay } from '#contract/bankTime.ts';
import { maxLength } from '#contract/constants.ts';
import { plusDays } from '#contract/federalHolidays.ts';
import {
  type Goal,
  goalPictures,
  goalsApi,
  type GoalPicture as Picture,
  type RuleFrequency,
  ruleFrequencies,
} from '#contract/goals.ts';
import * as appMessages from '#contract/messages/app.ts';
import * as goalsMessages from '#contract/messages/goals.ts';
import { centsToDollars, dollarsText, typedToCents } from '#contract/money.ts';
import { lastDate } from '#contract/scheduled.ts';
import { AmountField } from '#web/bank/AmountField.tsx';
import { FormDialog } from '#web/bank/FormDialog.tsx';
import { GoalPicture } from '#web/bank/GoalPicture.tsx';
import * as bankWords from '#web/bank/words.ts';
import { fieldErrors, forgetFieldErrors, newestError, savingError } from '#web/base/callError.ts';
import { checkForm, differ, type FieldErrors, focusField, isUnchanged } from '#web/base/formRules.ts';
import { type ActedOn, useActs } from '#web/base/useActs.ts';
import { SelectField } from '#web/ui/SelectField.tsx';
import { Switch } from '#web/ui/Switch.tsx';
import { TextField } from '#web/ui/TextField.tsx';
import { useFinalFocus } from '#web/ui/useFinalFocus.ts';
import { useAddGoalMutation, useChangeGoalMutation } from './goalsCalls.ts';
import { pictureNames, words } from './words.ts';
import './GoalDialog.css';

/** Converts cents to dollars. An invalid amount becomes `NaN`, which the contract's rule refuses. */
const dollarsOf = (cents: bigint | undefined) => (cents === undefined ? Number.NaN : centsToDollars(cents));

const formOf = (goal: Goal | undefined) => ({
  name: goal?.name ?? '',
  picture: goal?.picture ?? ('home' as Picture),
  target: dollarsText(goal?.target),
  targetDate: goal?.targetDate ?? '',
  frequency: (goal?.rule?.frequency ?? '') as RuleFrequency | '',
  amount: dollarsText(goal?.rule?.amount),
  startDate: goal?.rule?.nextDate ?? '',
  roundUp: goal?.roundUp ?? false,
});

/** What the customer decides about a goal. The next date of the rule also moves by itself, so it is left out. */
const choicesOf = ({ rule, ...goal }: Goal) => ({
  ...goal,
  rule: rule && { amount: rule.amount, frequency: rule.frequency, startDate: rule.startDate },
});

export type GoalDialogProps = {
  /** The goal to change; undefined to add one. */
  goal: Goal | undefined;
  /** The query that `goal` is from. The form is busy until it shows what was saved. */
  goals: ActedOn<{ goals: Goal[] }>;
  /** Gets the focus after adding, because the button that opened the form may be gone. */
  heading: RefObject<HTMLElement | null>;
  onClose: () => void;
};

export function GoalDialog({ goal, goals, heading, onClose }: GoalDialogProps) {
  const [form, setForm] = useState(() => formOf(goal));
  const [before] = useState(form);
  const isEdited = differ(form, before);
  // One key per dialog, so that a second press after a lost answer does not add a second goal.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const [add, adding] = useAddGoalMutation();
  const [change, changing] = useChangeGoalMutation();
  const { act, busy, failed: notSaved } = useActs(goals, words.notChanged);
  const isGone = goal && goals.data?.goals.every(({ _id }) => _id !== goal._id);
  const failed = newestError(adding, changing);
  const { finalFocus, openerGoes } = useFinalFocus(heading);
  // The first press shows what is missing; from then on each field is checked while it is typed.
  const [pressed, setPressed] = useState<typeof form>();
  const set = (changed: Partial<typeof form>) => {
    setForm(before => ({ ...before, ...changed }));
    forgetFieldErrors(adding, changing);
  };
  const today = calendarDay(new Date());

  const { name, picture, targetDate, frequency, startDate, roundUp } = form;
  const [target, amount] = [typedToCents(form.target), typedToCents(form.amount)];
  const rule = frequency === '' ? undefined : { amount: dollarsOf(amount), frequency, startDate };
  const was = goal?.rule;
  const isSameRule =
    rule?.amount === was?.amount && rule?.frequency === was?.frequency && rule?.startDate === was?.nextDate;
  const body = {
    name,
    picture,
    target: dollarsOf(target),
    roundUp,
    ...(targetDate !== (goal?.targetDate ?? '') && { targetDate: targetDate || null }),
    ...(!isSameRule && { rule: rule ?? null }),
  };
  const { errors: broken = {} } = checkForm(goalsApi.changeGoal.body, body);
  const errors: FieldErrors = {
    ...broken,
    ...(body.targetDate && body.targetDate <= today && { targetDate: goalsMessages.targetDate }),
    ...(body.rule && startDate < today && { 'rule.startDate': goalsMessages.ruleStart }),
    ...(body.rule && startDate === '' && { 'rule.startDate': bankWords.chooseDate }),
  };
  const refused = fieldErrors(failed);
  const shown = ['name', 'target', 'targetDate', ...(rule ? ['rule.amount', 'rule.startDate'] : [])];
  const wrong: FieldErrors = pressed ? { ...refused, ...errors } : {};
  // If automatic saving was chosen after the press, its amount is not checked yet.
  if (pressed?.frequency === '') delete wrong['rule.amount'];

  const save = async (element: HTMLFormElement) => {
    setPressed(form);
    const [first] = Object.keys(errors);
    if (first !== undefined) return focusField(element, first);
    const { targetDate: by, rule: every, ...others } = body;
    const send = () =>
      goal
        ? change({ params: { id: goal._id }, body })
        : add({
            idempotencyKey,
            body: { ...others, ...(by && { targetDate: by }), ...(every && { rule: every }) },
          });
    // After a lost answer, the same press again is safe, so the form of a new goal stays until the bank has answered.
    const isUndone = (now: { goals: Goal[] }) => {
      const one = goal && now.goals.find(({ _id }) => _id === goal._id);
      return !one || isUnchanged(body, choicesOf(goal), choicesOf(one));
    };
    const { hasWorked, error } = await act('save', send, isUndone);
    if (!hasWorked) return focusField(element, Object.keys(fieldErrors(error)));
    if (!goal) openerGoes();
    onClose();
  };

  return (
    <FormDialog
      open
      onClose={onClose}
      finalFocus={finalFocus}
      size="m"
      title={goal ? words.changeTitle : words.addTitle}
      submitLabel={goal ? words.save : words.add}
      isEdited={isEdited}
      busy={busy !== undefined}
      busyLabel={words.working}
      failed={savingError(
        adding.error,
        changing.error && (isGone ? goalsMessages.gone : notSaved),
        shown.some(field => field in refused),
        { ...words.addition, fallback: words.notChanged },
      )}
      onSubmit={save}
    >
      <TextField
        label={words.name}
        name="name"
        autoComplete="off"
        maxLength={maxLength.nickname}
        value={name}
        onChange={value => set({ name: value })}
        error={wrong.name}
      />
      <fieldset className="GoalDialog-pictures">
        <legend>{words.picture}</legend>
        {goalPictures.map(each => (
          <label key={each} className="GoalDialog-picture">
            <input
              type="radio"
              name="picture"
              value={each}
              checked={each === picture}
              onChange={() => set({ picture: each })}
            />
            <span className="sr-only">{pictureNames[each]}</span>
            <GoalPicture name={each} />
          </label>
        ))}
      </fieldset>
      <div className="FormDialog-pair">
        <AmountField
          name="target"
          label={words.target}
          value={form.target}
          onChange={value => set({ target: value })}
          error={wrong.target}
        />
        <TextField
          label={words.targetDate}
          name="targetDate"
          optional={appMessages.optional}
          type="date"
          min={plusDays(today, 1)}
          max={lastDate()}
          value={targetDate}
          onChange={value => set({ targetDate: value })}
          error={wrong.targetDate}
        />
      </div>
      <SelectField
        label={words.automatic}
        value={frequency}
        onChange={value =>
          set({
            frequency: value as RuleFrequency,
            ...(startDate === '' && { startDate: plusDays(today, 1) }),
          })
        }
        options={[
          { value: '', label: words.noRule },
          ...ruleFrequencies.map(value => ({ value, label: bankWords.frequencyNames[value] })),
        ]}
      />
      {frequency !== '' && (
        <div className="FormDialog-pair">
          <AmountField
            name="rule.amount"
            label={words.ruleAmount}
            value={form.amount}
            onChange={value => set({ amount: value })}
            error={wrong['rule.amount']}
          />
          <TextField
            label={goal?.rule ? words.ruleNext : words.ruleStart}
            name="rule.startDate"
            type="date"
            min={today}
            max={lastDate()}
            value={startDate}
            onChange={value => set({ startDate: value })}
            error={wrong['rule.startDate']}
          />
        </div>
      )}
      <div className="GoalDialog-roundUp">
        <div>
          <p>{words.roundUpChoice}</p>
          <p className="type-small">{words.roundUpHint}</p>
        </div>
        <Switch
          checked={roundUp}
          name={words.roundUpChoice}
          label={roundUp ? words.on : words.off}
          onChange={checked => set({ roundUp: checked })}
        />
      </div>
    </FormDialog>
  );
}
