/** The monthly amount with which a goal reaches its target in time, and the day on which its rule reaches the target. */
import { plusDays } from '#contract/federalHolidays.ts';
import type { Goal } from '#contract/goals.ts';
import { dollarsToCents } from '#contract/money.ts';
import { addMonths, monthsBetween } from '#web/bank/months.ts';

const missingIn = ({ saved, target }: { saved: number; target: number }) =>
  (dollarsToCents(target) ?? 0n) - (dollarsToCents(saved) ?? 0n);

/** Returns cents, rounded up to a dollar; undefined if the target is reached or the day is less than a month away. */
export function neededEachMonth(
  goal: { saved: number; target: number },
  targetDate: string,
  today: string,
): bigint | undefined {
  const missing = missingIn(goal);
  const isPartial = targetDate.slice(-2) < today.slice(-2);
  const months = monthsBetween(today, targetDate) - (isPartial ? 1 : 0);
  if (missing <= 0n || months < 1) return undefined;
  const dollar = 100n * BigInt(months);
  return ((missing + dollar - 1n) / dollar) * 100n;
}

const maxDeposits = 5_200;

/**
 * Returns the day of the deposit with which the rule reaches the target. Undefined if the target is already reached, or if that
 * takes more than 5,200 deposits.
 */
export function reachedOn(
  goal: { saved: number; target: number },
  { amount, frequency, startDate, nextDate }: NonNullable<Goal['rule']>,
): string | undefined {
  const each = dollarsToCents(amount) ?? 0n;
  const missing = missingIn(goal);
  if (each <= 0n || missing <= 0n || missing > each * BigInt(maxDeposits)) return undefined;
  const later = Number((missing + each - 1n) / each) - 1;
  // A rule that began on the 31st continues on the 31st after a shorter month.
  return frequency === 'monthly'
    ? addMonths(startDate, monthsBetween(startDate, nextDate) + later)
    : plusDays(nextDate, later * (frequency === 'weekly' ? 7 : 14));
}
