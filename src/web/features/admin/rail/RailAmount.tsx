/** An amount of a rail file, which can be in a currency that the bank does not book. */
import { bank } from '#contract/constants.ts';
import { formatAmount } from '#contract/money.ts';
import { Money } from '#web/bank/Money.tsx';

export function RailAmount({ amount, currency }: { amount: number; currency: string }) {
  return currency === bank.currency ? (
    <Money dollars={amount} />
  ) : (
    formatAmount(amount, currency).replace(' ', '\u00a0')
  );
}
