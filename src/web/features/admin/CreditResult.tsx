/** The answer to a credit: 'Success!' with its receipt, or 'Error' with what went wrong and whether money moved. */
import { formatAccountNumber } from '#contract/accountNumber.ts';
import type { Transaction } from '#contract/entities.ts';
import { fill, messages } from '#contract/messages.ts';
import { formatDollars } from '#contract/money.ts';
import { errorMessage } from '#web/base/callError.ts';
import { ResultDialog } from '#web/ui/ResultDialog.tsx';
import { words } from './words.ts';

/** A credit that was made, or the error of one that was not (or whose answer was `lost`). */
export type CreditOutcome =
  | { credited: Transaction; userAccountNumber: string }
  | { error: object; lost: boolean };

export type CreditResultProps = { open: boolean; outcome: CreditOutcome; onClose: () => void };

export function CreditResult({ open, outcome, onClose }: CreditResultProps) {
  if ('error' in outcome) {
    return (
      <ResultDialog
        open={open}
        onClose={onClose}
        kind="error"
        title={messages.admin.creditErrorTitle}
        message={errorMessage(outcome.error, messages.admin.creditFailed)}
        subtitle={outcome.lost ? words.creditUnknown : words.noMoneyMoved}
      />
    );
  }
  const { credited, userAccountNumber } = outcome;
  const amount = formatDollars(credited.amount);
  return (
    <ResultDialog
      open={open}
      onClose={onClose}
      kind="success"
      title={messages.admin.creditSuccessTitle}
      message={fill(messages.admin.credited, { amount, accountNumber: userAccountNumber })}
      amountDollars={credited.amount}
      rows={[
        { label: words.to, value: formatAccountNumber(userAccountNumber) },
        { label: words.description, value: credited.description },
        { label: words.reference, value: credited.reference },
      ]}
    />
  );
}
