/** The headline of the months chart. */
import { nameOfMonth } from '#contract/bankTime.ts';
import type { Month } from '#contract/entities.ts';
import { fill } from '#contract/messages/fill.ts';
import { dollarsToCents, formatCents } from '#contract/money.ts';
import { words } from './words.ts';

/** Whether any money moved in these months. */
export function anyMovement(months: readonly Month[]): boolean {
  return months.some(month => month.in !== 0 || month.out !== 0);
}

/** Returns the headline: what was kept or overspent in the last of `months`, which is the current one. */
export function findingOf(months: readonly Month[]): string {
  const present = months.at(-1);
  if (!present || !anyMovement(months)) return words.findingNothing;
  const month = nameOfMonth(present.month, 'long');
  if (present.in === 0 && present.out === 0) return fill(words.findingQuiet, { month });
  const kept = (dollarsToCents(present.in) ?? 0n) - (dollarsToCents(present.out) ?? 0n);
  if (kept === 0n) return fill(words.findingEven, { month });
  return kept > 0n
    ? fill(words.findingKept, { amount: formatCents(kept), month })
    : fill(words.findingSpent, { amount: formatCents(-kept), month });
}
