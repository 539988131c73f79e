/** A hidden amount, for use in public places: always six dots, whatever the amount. */
import * as words from './words.ts';

export type HiddenMoneyProps = { label?: string | undefined; className?: string | undefined };

export function HiddenMoney({ label = words.balanceHidden, className }: HiddenMoneyProps) {
  return (
    <span className={className} role="img" aria-label={label}>
      ••••••
    </span>
  );
}
