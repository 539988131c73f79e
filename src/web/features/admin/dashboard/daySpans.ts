/** Groups the bank's days into spans (single days or weeks) for charts. Amounts are in dollars and are summed in cents. */
import { daysWithoutYear, nameOfDays } from '#contract/bankTime.ts';
import type { AdminFigures } from '#contract/entities.ts';
import { centsToDollars, dollarsToCents } from '#contract/money.ts';

export type Day = AdminFigures['days'][number];

/** One or more consecutive days. `volume` counts completed transactions only, in dollars. */
export type Span = { from: string; to: string; count: number; completed: number; volume: number };

/** Returns spans of `size` days, oldest first. The last span ends with the last day, so the first may be shorter. */
export function spansOf(days: readonly Day[], size: number): Span[] {
  const spans: Span[] = [];
  for (let end = days.length; end > 0; end -= size)
    spans.unshift(sumOf(days.slice(Math.max(0, end - size), end)));
  return spans;
}

/** Sums all days into one span. `days` must not be empty. */
export function sumOf(days: readonly Day[]): Span {
  const volume = days.reduce((sum, day) => sum + (dollarsToCents(day.volume) ?? 0n), 0n);
  return {
    from: days[0]?.day ?? '',
    to: days.at(-1)?.day ?? '',
    count: days.reduce((sum, day) => sum + day.count, 0),
    completed: days.reduce((sum, day) => sum + day.completed, 0),
    volume: centsToDollars(volume),
  };
}

/** The share of completed transactions in percent with one decimal; undefined if there were no transactions. */
export function rateOf({ count, completed }: { count: number; completed: number }): number | undefined {
  return count === 0 ? undefined : Math.round((completed / count) * 1000) / 10;
}

/** Returns the span's days in words, with the year. */
export const nameOfSpan = ({ from, to }: Span): string => nameOfDays(from, to);

/** Returns the span's days in words, without the year, which the chart's calendar shows. */
export const shortSpan = ({ from, to }: Span): string => daysWithoutYear(from, to);
