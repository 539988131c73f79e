/** Offers to save the receiver as a payee, or says that the receiver is a payee already and when they were last paid. */
import { useState } from 'react';
import { calendarDay, nameOfDay } from '#contract/bankTime.ts';
import { fill } from '#contract/messages/fill.ts';
import type { Payee } from '#contract/payees.ts';
import { type ActedOn, useActs } from '#web/base/useActs.ts';
import { Button } from '#web/ui/Button.tsx';
import { Icon } from '#web/ui/Icon.tsx';
import { findSaved, type receiverOf, titleOf } from './payees.ts';
import { useAddPayeeMutation } from './payeesCalls.ts';
import { payeeWords as words } from './words.ts';
import './SavePayee.css';

export type SavePayeeProps = {
  payees: ActedOn<Payee[]>;
  receiver: ReturnType<typeof receiverOf>;
  /** The time of a transfer to the receiver that was just made, which `payees` may not contain yet. */
  paidAt?: string | undefined;
};

export function SavePayee({ payees, receiver, paidAt }: SavePayeeProps) {
  const [add] = useAddPayeeMutation();
  const { act, busy, failed } = useActs(payees, words.notSaved);
  /** The receiver for whom the button was pressed. */
  const [pressedFor, setPressedFor] = useState<string>();
  const saved = findSaved(payees.data ?? [], receiver);
  if (!saved) {
    return (
      <div className="SavePayee">
        <Button
          kind="text"
          icon="plus"
          busy={busy !== undefined}
          busyLabel={words.saving}
          onClick={() => {
            setPressedFor(JSON.stringify(receiver));
            void act(
              'add',
              () => add({ body: receiver }),
              now => !findSaved(now, receiver),
            );
          }}
        >
          {words.save}
        </Button>
        <span role="status">{failed ? fill(words.savingFailed, { problem: failed }) : words.firstTime}</span>
      </div>
    );
  }
  const lastPaidAt = paidAt ?? saved.lastPaidAt;
  const known = lastPaidAt
    ? fill(words.lastPaid, {
        name: titleOf(saved),
        day: nameOfDay(calendarDay(new Date(lastPaidAt))).replaceAll(' ', '\u00a0'),
      })
    : fill(words.neverPaid, { name: titleOf(saved) });
  return (
    <p className="SavePayee" role="status">
      <Icon name="check" size={16} />
      {pressedFor === JSON.stringify(receiver) ? words.saved : known}
    </p>
  );
}
