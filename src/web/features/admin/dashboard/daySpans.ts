/** The bank's days put together to spans (single days, weeks) for drawing. Amounts are dollars, added as cents. */
import { dayWithoutYear, nameOfDay } from '#contract/bankTime.ts';
import type { AdminFigures } from '#contract/entities.ts';
import { centsToDollars, dollarsToCents } from '#contract/money.ts';

export type Day = AdminFigures['days'][number];

/** One or more days in a row. `volume` is of completed transactions, in dollars. */
export type Span = { from: string; to: string; count: number; completed: number; volume: number };

/** Spans of `size` days, oldest first; the last ends with the last day, so the first may be shorter. */
export function spansOf(days: readonly Day[], size: number): Span[] {
  const spans: Span[] = [];
  for (let end = days.length; end > 0; end -= size)
    spans.unshift(sumOf(days.slice(Math.max(0, end - size), end)));
  return spans;
}

/** All of the days given, which must be one or more, as one span. */
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

/** Completed of all, in percent with one decimal; nothing where there was no transaction. */
export function rateOf({ count, completed }: { count: number; completed: number }): number | undefined {
  return count === 0 ? undefined : Math.round((completed / count) * 1000) / 10;
}

/** '21 Nov 2026', or '15 Nov 2026 to 21 Nov 2026'. */
export function nameOfSpan({ from, to }: Span): string {
  return from === to ? nameOfDay(from) : `${nameOfDay(from)} to ${nameOfDay(to)}`;
}

/** '21 Nov', or '15 to 21 Nov': for the edge of a drawing, whose calendar says the year. */
export function shortSpan({ from, to }: Span): string {
  if (from === to) return dayWithoutYear(to);
  return `${from.slice(0, 7) === to.slice(0, 7) ? Number(from.slice(8)) : dayWithoutYear(from)} to ${dayWithoutYear(to)}`;
}
