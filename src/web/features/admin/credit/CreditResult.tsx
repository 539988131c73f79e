/**
 * The result of a credit: success with a receipt, a reversal in the meantime, an error with the reason, waiting for a second
 * person, or not known yet.
 */
import { formatAccountNumber } from '#contract/accountNumber.ts';
import type { Transaction } from '#contract/entities.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import * as appMessages from '#contract/messages/app.ts';
import { fill } from '#contract/messages/fill.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { formatDollars } from '#contract/money.ts';
import { Money } from '#web/bank/Money.tsx';
import { ResultDialog } from '#web/bank/ResultDialog.tsx';
import { errorMessage } from '#web/base/callError.ts';
import { useAccountHolderQuery } from '../adminCalls.ts';
import { sameCreditText } from '../requests/SameCreditWarning.tsx';
import { NoticeDialog } from '../users/NoticeDialog.tsx';
import { words } from '../words.ts';
import type { CreditOutcome } from './creditCustomer.ts';
import { creditWords } from './creditWords.ts';

export type CreditResultProps = { open: boolean; outcome: CreditOutcome; onClose: () => void };

export function CreditResult({ open, outcome, onClose }: CreditResultProps) {
  if ('error' in outcome && outcome.isUnknown) {
    return (
      <ResultDialog
        open={open}
        onClose={onClose}
        kind="warning"
        title={words.unknown}
        message={words.creditUnknown}
        subtitle={words.creditAskAgain}
      />
    );
  }
  if ('error' in outcome) {
    return (
      <ResultDialog
        open={open}
        onClose={onClose}
        kind="error"
        title={adminMessages.creditErrorTitle}
        message={errorMessage(outcome.error, adminMessages.creditFailed)}
        subtitle={words.noMoneyMoved}
      />
    );
  }
  if ('approval' in outcome.data) {
    const { approval } = outcome.data;
    const { sameCredit, sameRequestId } = approval;
    const made = sameCredit && sameCreditText(sameCredit);
    const waiting = sameRequestId && staffMessages.sameCredit;
    const message = (made || waiting) && [staffMessages.asked, made, waiting].filter(Boolean).join(' ');
    return (
      <NoticeDialog
        finalFocus={firstField}
        notice={open ? { kind: 'waiting', approval, ...(message && { message }) } : undefined}
        onClose={onClose}
      />
    );
  }
  return (
    <Credited
      open={open}
      onClose={onClose}
      credited={outcome.data}
      accountNumber={outcome.userAccountNumber}
    />
  );
}

/** Gets the focus after a dialog, because the button that had it is disabled once the form is empty again. */
const firstField = {
  get current() {
    return document.querySelector<HTMLElement>('form [name="userAccountNumber"]');
  },
};

type CreditedProps = { open: boolean; onClose: () => void; credited: Transaction; accountNumber: string };

function Credited({ open, onClose, credited, accountNumber }: CreditedProps) {
  // The answer to a credit has no balance. The balance is read afterward, so it is right even if more money moved since.
  const { currentData: holder, isFetching } = useAccountHolderQuery(
    { params: { accountNumber } },
    { skip: !open },
  );
  const amount = formatDollars(credited.amount);
  const isReversed = credited.reversedBy !== undefined;
  return (
    <ResultDialog
      open={open}
      onClose={onClose}
      finalFocus={firstField}
      kind={isReversed ? 'warning' : 'success'}
      title={isReversed ? creditWords.reversed : adminMessages.creditSuccessTitle}
      message={fill(isReversed ? creditWords.reversedText : adminMessages.credited, {
        amount,
        accountNumber,
      })}
      amountDollars={isReversed ? undefined : credited.amount}
      rows={[
        { label: words.holder, value: holder?.accountName ?? appMessages.pleaseWait },
        { label: words.accountNumber, value: formatAccountNumber(accountNumber) },
        { label: words.description, value: credited.description },
        { label: words.reference, value: credited.reference },
        {
          label: words.balanceNow,
          value: holder && !isFetching ? <Money dollars={holder.balance} /> : appMessages.pleaseWait,
        },
      ]}
    />
  );
}
