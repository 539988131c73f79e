/** A figure of some weight in running text: dollars, and the cents one tint quieter. */
import { dollarsToCents, partsOfCents } from '#contract/money.ts';

export function SplitMoney({ dollars }: { dollars: number }) {
  const parts = partsOfCents(dollarsToCents(dollars) ?? 0n);
  return (
    <span className="num">
      {parts.sign}${parts.dollars}
      <span className="font-normal text-ink-2">.{parts.fraction}</span>
    </span>
  );
}
