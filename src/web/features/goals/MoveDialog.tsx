/** The form that immediately moves money into or out of a savings goal. */
import { type RefObject, useRef, useState } from 'react';
import type { Goal } from '#contract/goals.ts';
import { fill } from '#contract/messages/fill.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { centsToDollars, dollarsToCents, formatCents, partsOfCents, typedToCents } from '#contract/money.ts';
import { AmountField } from '#web/bank/AmountField.tsx';
import { FormDialog } from '#web/bank/FormDialog.tsx';
import { type CallError, errorMessage, isUncertain } from '#web/base/callError.ts';
import { focusField } from '#web/base/formRules.ts';
import { useAmountsHidden } from '#web/base/hiddenAmounts.ts';
import { useBalanceQuery } from '#web/features/transactions/transactionsCalls.ts';
import { Button } from '#web/ui/Button.tsx';
import { useFinalFocus } from '#web/ui/useFinalFocus.ts';
import { useMoveGoalMutation } from './goalsCalls.ts';
import { words } from './words.ts';
import './MoveDialog.css';

const quickCents = [2_500n, 5_000n, 10_000n];

const typed = (cents: bigint) => {
  const { dollars, fraction } = partsOfCents(cents);
  return `${dollars}.${fraction}`;
};

export type MoveDialogProps = {
  goal: Goal;
  direction: 'in' | 'out';
  /** Gets the focus if the button that opened the form disappears: after all money is taken out, or with the goal itself. */
  heading: RefObject<HTMLElement | null>;
  onClose: () => void;
};

export function MoveDialog({ goal, direction, heading, onClose }: MoveDialogProps) {
  const { _id: id, name, saved } = goal;
  const [text, setText] = useState('');
  const balance = useBalanceQuery();
  const hidden = useAmountsHidden();
  const [move, moving] = useMoveGoalMutation();
  const { finalFocus, openerGoes } = useFinalFocus(heading);
  const isIn = direction === 'in';
  const cents = typedToCents(text);
  const most = dollarsToCents(isIn ? (balance.data?.balance ?? Number.NaN) : saved);
  const isTooMuch = cents !== undefined && most !== undefined && cents > most;
  const isReady = cents !== undefined && cents > 0n && !isTooMuch;
  const [isChecked, setIsChecked] = useState(false);
  // One key per amount: a second press after a lost answer moves nothing twice, even with other amounts in between.
  const keys = useRef(new Map<bigint, string>());

  const [failed, setFailed] = useState('');
  /** The key of a press that may have moved the money. A refusal of its retry does not prove that the money stayed. */
  const [unheardKey, setUnheardKey] = useState('');

  const send = async (form: HTMLFormElement) => {
    setIsChecked(true);
    if (!isReady) return focusField(form, 'amount');
    setFailed('');
    const idempotencyKey = keys.current.get(cents) ?? crypto.randomUUID();
    keys.current.set(cents, idempotencyKey);
    const answered = await move({
      params: { id },
      idempotencyKey,
      body: { amount: centsToDollars(cents), direction },
    });
    if (!answered.error) {
      if (!isIn && cents === most) openerGoes();
      return onClose();
    }
    const isUnknown = isUncertain(answered.error as CallError, unheardKey === idempotencyKey);
    if (isUnknown) setUnheardKey(idempotencyKey);
    // The bank repeats a refusal to the same key, even after money arrived.
    else keys.current.delete(cents);
    const isMissing = (answered.error as CallError).code === 'NOT_FOUND';
    setFailed(
      isUnknown ? words.unknown : isMissing ? words.gone : errorMessage(answered.error, words.notMoved),
    );
  };

  // While amounts are hidden, offer every quick amount: a shorter list would reveal how much money there is.
  const quick = quickCents.filter(each => hidden || (most !== undefined && each <= most));
  return (
    <FormDialog
      open
      onClose={onClose}
      finalFocus={finalFocus}
      title={fill(isIn ? words.moveInTitle : words.moveOutTitle, { name })}
      submitLabel={isIn ? words.moveIn : words.moveOut}
      busy={moving.isLoading}
      busyLabel={words.moving}
      failed={failed}
      onSubmit={send}
    >
      <AmountField
        name="amount"
        label={words.amount}
        value={text}
        onChange={setText}
        hint={
          most === undefined || hidden
            ? ''
            : fill(isIn ? words.available : words.inGoal, { amount: formatCents(most) })
        }
        error={
          isTooMuch
            ? hidden
              ? words.tooMuchHidden
              : fill(isIn ? words.tooMuch : words.tooMuchOut, { amount: formatCents(most) })
            : isChecked && !isReady && transferMessages.invalidAmount
        }
      />
      <fieldset className="MoveDialog-quick" aria-label={words.quick}>
        {quick.map(each => (
          <Button key={String(each)} kind="quiet" size="s" onClick={() => setText(typed(each))}>
            {formatCents(each)}
          </Button>
        ))}
        {!isIn && most !== undefined && (
          <Button kind="quiet" size="s" onClick={() => setText(typed(most))}>
            {words.all}
          </Button>
        )}
      </fieldset>
    </FormDialog>
  );
}
