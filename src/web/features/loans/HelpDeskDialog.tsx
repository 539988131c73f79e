/** Says that payments and applications go through the Help Desk for now, and links to a message that is already begun. */
import { nameOfDay } from '#contract/bankTime.ts';
import * as appMessages from '#contract/messages/app.ts';
import { fill } from '#contract/messages/fill.ts';
import * as loansMessages from '#contract/messages/loans.ts';
import { formatCents } from '#contract/money.ts';
import { helpDeskAddress } from '#web/base/helpDesk.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Slip } from '#web/ui/Slip.tsx';
import { useLastKnown } from '#web/ui/useLastKnown.ts';
import type { Loan } from './loanOn.ts';
import { words } from './words.ts';
import './HelpDeskDialog.css';

export type HelpDeskDialogProps = {
  /** The loan to pay on, or `apply` for a new one; undefined closes the dialog. */
  about: Loan | 'apply' | undefined;
  onClose: () => void;
};

export function HelpDeskDialog({ about, onClose }: HelpDeskDialogProps) {
  const shown = useLastKnown(about);
  const loan = shown === 'apply' ? undefined : shown;
  return (
    <Dialog
      open={about !== undefined}
      onClose={onClose}
      title={loan ? loansMessages.makePayment : loansMessages.apply}
      description={loan ? words.payText : words.applyText}
      actions={
        <>
          <Button kind="quiet" onClick={onClose}>
            {appMessages.close}
          </Button>
          <Button
            to={
              loan
                ? helpDeskAddress(...aboutPayment(loan))
                : helpDeskAddress(words.applySubject, words.applyMessage)
            }
          >
            {words.write}
          </Button>
        </>
      }
    >
      {loan?.next && (
        <Slip
          className="HelpDeskDialog-slip"
          rows={[
            { label: words.loan, value: words[loan.type] },
            { label: words.dueOn, value: nameOfDay(loan.next.due) },
            { label: words.paymentDue, value: formatCents(loan.next.total), total: true },
          ]}
        />
      )}
    </Dialog>
  );
}

function aboutPayment({ type, next }: Loan): [subject: string, message: string] {
  return [
    fill(words.paySubject, { loan: words[type].toLowerCase() }),
    fill(words.payMessage, { amount: formatCents(next?.total ?? 0n), day: nameOfDay(next?.due ?? '') }),
  ];
}
