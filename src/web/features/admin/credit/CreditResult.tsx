/** The result of a credit: 'Success!' with its receipt, 'Error' with the reason, or that the result is not known yet. */
import { formatAccountNumber } from '#contract/accountNumber.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { fill } from '#contract/messages/fill.ts';
import { formatDollars } from '#contract/money.ts';
import { ResultDialog } from '#web/bank/ResultDialog.tsx';
import { errorMessage } from '#web/base/callError.ts';
import { words } from '../words.ts';
import type { CreditOutcome } from './creditCustomer.ts';

export type CreditResultProps = { open: boolean; outcome: CreditOutcome; onClose: () => void };

export function CreditResult({ open, outcome, onClose }: CreditResultProps) {
  if ('error' in outcome && outcome.isUnknown) {
    return (
      <ResultDialog
        open={open}
        onClose={onClose}
        kind="warning"
        title={words.creditUnknownTitle}
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
  const { data: credited, userAccountNumber } = outcome;
  const amount = formatDollars(credited.amount);
  return (
    <ResultDialog
      open={open}
      onClose={onClose}
      kind="success"
      title={adminMessages.creditSuccessTitle}
      message={fill(adminMessages.credited, { amount, accountNumber: userAccountNumber })}
      amountDollars={credited.amount}
      rows={[
        { label: words.to, value: formatAccountNumber(userAccountNumber) },
        { label: words.description, value: credited.description },
        { label: words.reference, value: credited.reference },
      ]}
    />
  );
}
