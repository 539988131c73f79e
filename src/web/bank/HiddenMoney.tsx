/** A hidden amount, for use in public places: six dots for every amount. */
import * as words from './words.ts';

export type HiddenMoneyProps = { label?: string | undefined; className?: string | undefined };

export function HiddenMoney({ label = words.balanceHidden, className }: HiddenMoneyProps) {
  return (
    <span className={className} role="img" aria-label={label}>
      ••••••
    </span>
  );
}
