/** Groups the bank's days into spans (single days or weeks) for charts. Amounts are in dollars. */

import { daysWithoutYear, nameOfDays } from '#contract/bankTime.ts';
import type { AdminFigures } from '#contract/entities.ts';
import { sumDollars } from '#contract/money.ts';
import { figureWords } from './figureWords.ts';

export type Day = AdminFigures['days'][number];

/** One or more consecutive days. `volume` counts completed transactions only, in dollars. */
export type Span = {
  from: string;
  to: string;
  count: number;
  completed: number;
  pending: number;
  volume: number;
};

/** Returns spans of `size` days, oldest first. The last span ends with the last day, so the first may be shorter. */
export function spansOf(days: readonly Day[], size: number): Span[] {
  const spans: Span[] = [];
  for (let end = days.length; end > 0; end -= size)
    spans.unshift(sumOf(days.slice(Math.max(0, end - size), end)));
  return spans;
}

/** Sums all days into one span. `days` must not be empty. */
export function sumOf(days: readonly Day[]): Span {
  return {
    from: days[0]?.day ?? '',
    to: days.at(-1)?.day ?? '',
    count: days.reduce((sum, day) => sum + day.count, 0),
    completed: days.reduce((sum, day) => sum + day.completed, 0),
    pending: days.reduce((sum, day) => sum + (day.pending ?? 0), 0),
    volume: sumDollars(...days.map(day => day.volume)),
  };
}

/**
 * The share of completed transactions among those that have ended, in percent with one decimal; undefined if none has.
 * Pending payments are neither successes nor failures yet. Counting them would make the latest weeks look like failures.
 * If any failed, the rate is at most 99.9, so that rounding does not hide it.
 */
export function rateOf({
  count,
  completed,
  pending = 0,
}: Pick<Day, 'count' | 'completed' | 'pending'>): number | undefined {
  const ended = count - pending;
  if (ended === 0) return undefined;
  return Math.min(Math.round((completed / ended) * 1000) / 10, completed < ended ? 99.9 : 100);
}

/** The rate in words; a dash if there is none. */
export function rateText(days: Parameters<typeof rateOf>[0]): string {
  const rate = rateOf(days);
  return rate === undefined ? figureWords.noRate : `${rate}%`;
}

/** Returns the span's days in words, with the year. */
export const nameOfSpan = ({ from, to }: Span): string => nameOfDays(from, to);

/** Returns the span's days in words, without the year, which the chart's calendar shows. */
export const shortSpan = ({ from, to }: Span): string => daysWithoutYear(from, to);
