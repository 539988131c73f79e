/** Offers to save the receiver as a payee, or says that the receiver is a payee already and when they were last paid. */
import { calendarDay, nameOfDay } from '#contract/bankTime.ts';
import { fill } from '#contract/messages/fill.ts';
import type { Payee } from '#contract/payees.ts';
import { errorMessage } from '#web/base/callError.ts';
import { Button } from '#web/ui/Button.tsx';
import { Icon } from '#web/ui/Icon.tsx';
import { findSaved, type receiverOf, titleOf } from './payees.ts';
import { useAddPayeeMutation } from './payeesCalls.ts';
import { payeeWords as words } from './words.ts';
import './SavePayee.css';

export type SavePayeeProps = {
  payees: readonly Payee[];
  receiver: ReturnType<typeof receiverOf>;
};

export function SavePayee({ payees, receiver }: SavePayeeProps) {
  const [add, { isLoading, error }] = useAddPayeeMutation();
  const saved = findSaved(payees, receiver);
  if (!saved) {
    return (
      <div className="SavePayee">
        <Button
          kind="text"
          icon="plus"
          busy={isLoading}
          busyLabel={words.saving}
          onClick={() => void add({ body: receiver })}
        >
          {words.save}
        </Button>
        <span role="status">{error ? errorMessage(error, words.notSaved) : words.firstTime}</span>
      </div>
    );
  }
  return (
    <p className="SavePayee" role="status">
      <Icon name="check" size={16} />
      {saved.lastPaidAt
        ? fill(words.lastPaid, {
            name: titleOf(saved),
            day: nameOfDay(calendarDay(new Date(saved.lastPaidAt))).replaceAll(' ', '\u00a0'),
          })
        : fill(words.neverPaid, { name: titleOf(saved) })}
    </p>
  );
}
