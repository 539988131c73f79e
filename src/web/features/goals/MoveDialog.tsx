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
  /** The amounts that were sent with this key without an answer. At most one of them was moved. */
  const [unheard, setUnheard] = useState<readonly bigint[]>([]);
  // An amount whose answer was lost may be gone from the balance, and can still be pressed again.
  const isTooMuch = cents !== undefined && most !== undefined && cents > most && !unheard.includes(cents);
  const isReady = cents !== undefined && cents > 0n && !isTooMuch;
  /** The bank has said that it received one of the amounts in `unheard`. */
  const [isReceived, setIsReceived] = useState(false);
  const [isChecked, setIsChecked] = useState(false);
  // One key until the bank has refused, like in the form for a scheduled transfer: after a lost answer, neither a second press
  // nor a press with another amount moves money twice.
  const key = useRef(crypto.randomUUID());
  const [failed, setFailed] = useState('');
  const change = (typed: string) => {
    setText(typed);
    // Only the refusal of this amount goes; an unknown result stays on the screen.
    setFailed('');
  };
  const isSame = cents !== undefined && unheard.includes(cents);
  const unknown = isReceived
    ? words[isSame ? 'received' : 'otherReceived']
    : words[isSame ? 'unknown' : 'unknownOther'];
  const amounts = (which: readonly bigint[]) => ({ amount: which.map(formatCents).join(words.or) });

  const send = async (form: HTMLFormElement) => {
    setIsChecked(true);
    if (!isReady) return focusField(form, 'amount');
    setFailed('');
    const answered = await move({
      params: { id },
      idempotencyKey: key.current,
      body: { amount: centsToDollars(cents), direction },
    });
    if (!answered.error) {
      // After a lost answer, the goal may already be empty.
      if (!isIn && (cents === most || unheard.includes(cents))) openerGoes();
      return onClose();
    }
    const error = answered.error as CallError;
    const others = unheard.filter(sent => sent !== cents);
    if (error.code === 'IDEMPOTENCY_MISMATCH') {
      setUnheard(others);
      setIsReceived(true);
      return setFailed(fill(words.otherReceived, amounts(others)));
    }
    if (isUncertain(error)) return setUnheard([...others, cents]);
    // This press moved nothing, but its refusal does not prove that an earlier press moved nothing.
    if (isUncertain(error, unheard.length > 0))
      return setFailed(`${errorMessage(error, '')} ${fill(unknown, amounts(unheard))}`);
    // The bank repeats a refusal to the same key, even after money arrived.
    key.current = crypto.randomUUID();
    setUnheard([]);
    setIsReceived(false);
    setFailed(error.code === 'NOT_FOUND' ? words.gone : errorMessage(error, words.notMoved));
  };
  const isUnknown = unheard.length > 0 && !moving.isLoading;

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
      failed={failed || (isUnknown ? { text: fill(unknown, amounts(unheard)), isUnknown } : '')}
      onSubmit={send}
    >
      <AmountField
        name="amount"
        label={words.amount}
        value={text}
        onChange={change}
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
          <Button key={String(each)} kind="quiet" size="s" onClick={() => change(typed(each))}>
            {formatCents(each)}
          </Button>
        ))}
        {!isIn && most !== undefined && (
          <Button kind="quiet" size="s" onClick={() => change(typed(most))}>
            {words.all}
          </Button>
        )}
      </fieldset>
    </FormDialog>
  );
}
