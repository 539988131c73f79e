/** The customer's own limits. An empty field is no limit. Raising a limit asks for a confirmation. */
import { type SubmitEvent, useState } from 'react';
import { type Limits, type LimitsAndRule, limitsApi } from '#contract/limits.ts';
import { fill } from '#contract/messages/fill.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { centsToDollars, dollarsText, formatDollars, typedToCents } from '#contract/money.ts';
import { AmountField } from '#web/bank/AmountField.tsx';
import { whyNoAmount } from '#web/bank/amountRule.ts';
import { LoadFailed } from '#web/bank/LoadFailed.tsx';
import { type FieldErrors, focusField } from '#web/base/formRules.ts';
import { selectCustomer } from '#web/base/session.ts';
import { useAppDispatch, useAppSelector } from '#web/base/store.ts';
import type { ActedOn } from '#web/base/useActs.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useLimitsQuery, useSetLimitsMutation } from './limitsCalls.ts';
import { SaveButton } from './SaveButton.tsx';
import { settingsReset } from './settingsSlice.ts';
import { type OnEdited, useEdited } from './useEdited.ts';
import { useFormSave } from './useFormSave.ts';
import { useNewlySaved } from './useNewlySaved.ts';
import { words } from './words.ts';
import './LimitsForm.css';

const texts = words.limits;
type Name = keyof Limits;
const names = ['dailyOut', 'stepUpFrom'] as const satisfies readonly Name[];

/** The typed limit in dollars; null for none, undefined if it is no valid amount. */
function toLimit(text: string): number | null | undefined {
  if (text.trim() === '') return null;
  const cents = typedToCents(text);
  return cents === undefined || whyNoAmount(text) ? undefined : centsToDollars(cents);
}

export function LimitsForm({ onEdited }: { onEdited: OnEdited }) {
  const { data, isError, refetch } = useLimitsQuery();
  if (data) return <LoadedForm saved={data} refetch={refetch} onEdited={onEdited} />;
  return isError ? (
    <LoadFailed title={texts.failed} onRetry={refetch} />
  ) : (
    <Skeleton kind="text" count={3} label={texts.loading} />
  );
}

type LoadedFormProps = {
  saved: LimitsAndRule;
  refetch: ActedOn<LimitsAndRule>['refetch'];
  onEdited: OnEdited;
};

function LoadedForm({ saved, refetch, onEdited }: LoadedFormProps) {
  const frozen = useAppSelector(selectCustomer)?.isFrozen;
  const { bankStepUpFrom } = saved;
  const hints: Record<Name, string> = {
    dailyOut: texts.dailyHint,
    stepUpFrom: [
      texts.stepUpHint,
      bankStepUpFrom === null && texts.bankNeverAsks,
      typeof bankStepUpFrom === 'number' && fill(texts.bankAsks, { amount: formatDollars(bankStepUpFrom) }),
    ]
      .filter(Boolean)
      .join(' '),
  };
  const shown = { dailyOut: dollarsText(saved.dailyOut), stepUpFrom: dollarsText(saved.stepUpFrom) };
  const [typed, setTyped] = useState(shown);
  const [errors, setErrors] = useState<FieldErrors>({});
  useNewlySaved(saved, () => {
    setTyped(shown);
    setErrors({});
  });
  const [setLimits] = useSetLimitsMutation();
  const { save, isSaving } = useFormSave({ data: saved, refetch }, limitsApi.setLimits.message);
  const dispatch = useAppDispatch();
  useEdited(
    'limits',
    names.some(name => toLimit(typed[name]) !== saved[name]),
    onEdited,
  );

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    dispatch(settingsReset());
    const [dailyOut, stepUpFrom] = [toLimit(typed.dailyOut), toLimit(typed.stepUpFrom)];
    const found = {
      ...(dailyOut === undefined && { dailyOut: transferMessages.invalidAmount }),
      ...(stepUpFrom === undefined && { stepUpFrom: transferMessages.invalidAmount }),
    };
    setErrors(found);
    if (dailyOut === undefined || stepUpFrom === undefined)
      return focusField(event.currentTarget, Object.keys(found)[0]);
    const send = (call: { body: Limits }) => setLimits({ ...call, confirms: texts.confirms });
    void save({ dailyOut, stepUpFrom }, send).then(error => {
      // After a canceled confirmation, an emptied field would look like a limit that no longer applies.
      if (error?.code === 'STEP_UP_REQUIRED')
        setTyped(before => ({
          dailyOut: before.dailyOut.trim() || shown.dailyOut,
          stepUpFrom: before.stepUpFrom.trim() || shown.stepUpFrom,
        }));
    });
  };
  return (
    <form className="LimitsForm" method="dialog" noValidate onSubmit={submit}>
      {names.map(name => (
        <AmountField
          key={name}
          name={name}
          label={texts[name]}
          hint={hints[name]}
          value={typed[name]}
          onChange={value => {
            setTyped(before => ({ ...before, [name]: value }));
            setErrors(before => ({ ...before, [name]: '' }));
          }}
          error={errors[name]}
          disabled={frozen}
        />
      ))}
      <SaveButton frozen={frozen} busy={isSaving} />
    </form>
  );
}
