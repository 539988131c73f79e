/** An emphasized amount in running text: the dollars, and the cents in a lighter color. */
import { dollarsToCents, partsOfCents } from '#contract/money.ts';
import { HiddenMoney } from './HiddenMoney.tsx';
import './SplitMoney.css';

export type SplitMoneyProps = {
  dollars: number;
  /** Shows six dots instead of figures. */
  hidden?: boolean | undefined;
  hiddenLabel?: string | undefined;
};

export function SplitMoney({ dollars, hidden, hiddenLabel }: SplitMoneyProps) {
  if (hidden) return <HiddenMoney label={hiddenLabel} />;
  const parts = partsOfCents(dollarsToCents(dollars) ?? 0n);
  return (
    <span className="num">
      {parts.sign}${parts.dollars}
      <span className="SplitMoney-cents">.{parts.fraction}</span>
    </span>
  );
}
