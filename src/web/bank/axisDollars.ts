/** Short labels for the amounts along a chart's axis. */
import { bank } from '#contract/constants.ts';

const axisUnits = [
  { size: 1e9, sign: 'B' },
  { size: 1e6, sign: 'M' },
  { size: 1e3, sign: 'K' },
] as const;

/**
 * An axis's amounts with labels in one format. If the largest is $10,000 or more, all have its unit (`$5K`, `$10K`). Otherwise
 * all have cents if one has any.
 */
export function axisDollars(amounts: readonly number[]): { value: number; text: string }[] {
  const max = Math.max(...amounts, 0);
  const unit = (max >= 10_000 && axisUnits.find(({ size }) => max >= size)) || { size: 1, sign: '' };
  const minimumFractionDigits = unit.sign || amounts.every(Number.isInteger) ? 0 : 2;
  return amounts.map(value => {
    const figure = (value / unit.size).toLocaleString(bank.locale, { minimumFractionDigits });
    return { value, text: `$${figure}${unit.sign}` };
  });
}
