/** The dates of a scheduled transfer, or of a savings goal's rule, as a sentence. Days are `2026-12-01`. */
import { isDay, nameOfDay, shortDay } from './bankTime.ts';
import { bank } from './constants.ts';
import { fill } from './messages/fill.ts';
import * as scheduledMessages from './messages/scheduled.ts';
import type { Frequency } from './scheduled.ts';

/** The dates that the sentence describes. */
export type Rule = {
  startDate: string;
  frequency: Frequency;
  endDate?: string | null | undefined;
  count?: number | null | undefined;
};

/** A time that is on `day` both in New York and in UTC, because the formats use both zones. */
const atNoon = (day: string) => `${day}T17:00:00Z`;

/** 'Dec 1', or 'Dec 1, 2027' if the year is not the current one. */
export const shortName = (day: string, now?: Date) => (isDay(day) ? shortDay(atNoon(day), now) : day);

const weekday = new Intl.DateTimeFormat(bank.locale, { weekday: 'long', timeZone: 'UTC' });
const dayOfYear = new Intl.DateTimeFormat(bank.locale, { month: 'short', day: 'numeric', timeZone: 'UTC' });
const plural = new Intl.PluralRules(bank.locale, { type: 'ordinal' });
const endings: Record<string, string> = { one: 'st', two: 'nd', few: 'rd', other: 'th' };
const ordinal = (n: number) => `${n}${endings[plural.select(n)]}`;

/** 'on the 1st of every month', 'every other Tuesday until Dec 1, 2027', 'once, on Dec 1'. */
export function describeRule({ startDate, frequency, endDate, count }: Rule, now?: Date): string {
  if (!isDay(startDate)) return startDate;
  if (frequency === 'once') return fill(scheduledMessages.ruleOnce, { day: shortName(startDate, now) });
  const date = new Date(atNoon(startDate));
  const day = Number(startDate.slice(8));
  const when = {
    weekly: () => fill(scheduledMessages.ruleWeekly, { weekday: weekday.format(date) }),
    biweekly: () => fill(scheduledMessages.ruleBiweekly, { weekday: weekday.format(date) }),
    monthly: () =>
      fill(day > 28 ? scheduledMessages.ruleMonthlyOrLast : scheduledMessages.ruleMonthly, {
        day: ordinal(day),
      }),
    yearly: () => fill(scheduledMessages.ruleYearly, { day: dayOfYear.format(date) }),
  }[frequency]();
  if (endDate) return `${when} ${fill(scheduledMessages.ruleUntil, { day: nameOfDay(endDate) })}`;
  return count
    ? `${when}, ${count === 1 ? scheduledMessages.ruleOneTime : fill(scheduledMessages.ruleTimes, { count })}`
    : when;
}
