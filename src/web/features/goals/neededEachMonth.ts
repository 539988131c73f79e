/** The monthly amount that gets a goal to its target in time. Days are written as `2026-12-01`. */
import { dollarsToCents } from '#contract/money.ts';

/** Returns cents, rounded up to a dollar; undefined if the target is reached or the day is less than a month away. */
export function neededEachMonth(
  { saved, target }: { saved: number; target: number },
  targetDate: string,
  today: string,
): bigint | undefined {
  const missing = (dollarsToCents(target) ?? 0n) - (dollarsToCents(saved) ?? 0n);
  const [endYear = 0, endMonth = 0, endDay = 0] = targetDate.split('-').map(Number);
  const [year = 0, month = 0, day = 0] = today.split('-').map(Number);
  const months = (endYear - year) * 12 + endMonth - month - (endDay < day ? 1 : 0);
  if (missing <= 0n || months < 1) return undefined;
  const dollar = 100n * BigInt(months);
  return ((missing + dollar - 1n) / dollar) * 100n;
}
