/** An amount nobody nearby shall read: six dots, whatever it is. */
import * as words from './words.ts';

export type HiddenMoneyProps = { label?: string | undefined; className?: string | undefined };

export function HiddenMoney({ label = words.balanceHidden, className }: HiddenMoneyProps) {
  return (
    <span className={className} role="img" aria-label={label}>
      ••••••
    </span>
  );
}
