/**
 * Days and times in the bank's time zone, independent of the reader's, and their formats: `20 Nov` in a row (`shortDay`),
 * `21 Nov 2026` and `21 Nov 2026, 9:41 AM` in tables, details and mails (`nameOfDay`, `dayAndTime`), `21 Nov` and `Nov` on a
 * chart axis (`dayWithoutYear`, `nameOfMonth`).
 */
import { bank } from './constants.ts';

const clock = new Intl.DateTimeFormat(bank.locale, { timeZone: bank.timeZone, timeStyle: 'short' });
const numbers = new Intl.DateTimeFormat(bank.locale, {
  timeZone: bank.timeZone,
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
});

type Day = { year: number; month: number; day: number };

function dayOf(moment: Date): Day {
  const parts = numbers.formatToParts(moment).map(({ type, value }) => [type, Number(value)]);
  return Object.fromEntries(parts) as Day;
}

/** `20 Nov`, or `20 Nov 2025` in another year than `now`. `moment` as on the wire. */
export function shortDay(moment: string, now = new Date()): string {
  const day = calendarDay(new Date(moment));
  return Number(day.slice(0, 4)) === dayOf(now).year ? dayWithoutYear(day) : nameOfDay(day);
}

/** `9:41 AM`. */
export function timeOfDay(moment: string | Date): string {
  return clock.format(new Date(moment));
}

/** `21 Nov 2026, 9:41 AM`. */
export function dayAndTime(moment: string | Date): string {
  return `${nameOfDay(calendarDay(new Date(moment)))}, ${timeOfDay(moment)}`;
}

/** The month of a moment in the bank's time zone, as `2026-11`. */
export function monthOf(moment: string | Date): string {
  const { year, month } = dayOf(new Date(moment));
  return `${year}-${String(month).padStart(2, '0')}`;
}

/** The bank's calendar day at a moment, as `2026-11-21`. */
export function calendarDay(moment: Date): string {
  return `${monthOf(moment)}-${String(dayOf(moment).day).padStart(2, '0')}`;
}

/** A calendar day, `2026-11-21`, as '21 Nov 2026'. It has no time, so no time zone applies. */
export function nameOfDay(day: string): string {
  return `${dayWithoutYear(day)} ${day.slice(0, 4)}`;
}

/** A calendar day as '21 Nov', for places where the year is clear from the context. */
export function dayWithoutYear(day: string): string {
  return `${Number(day.slice(8))} ${nameOfMonth(day.slice(0, 7), 'short')}`;
}

/** A calendar day as 'Sat, 28 Nov 2026'. */
export function dayWithWeekday(day: string): string {
  const weekday = new Intl.DateTimeFormat(bank.locale, { weekday: 'short', timeZone: 'UTC' });
  return `${weekday.format(new Date(`${day}T00:00:00Z`))}, ${nameOfDay(day)}`;
}

/** `2026-11` as 'Nov', 'November' or 'November 2026'. */
export function nameOfMonth(month: string, form: 'short' | 'long' | 'full'): string {
  const options = form === 'full' ? ({ month: 'long', year: 'numeric' } as const) : { month: form };
  // Parse and format in UTC, so that the month cannot shift.
  const format = new Intl.DateTimeFormat(bank.locale, { ...options, timeZone: 'UTC' });
  return format.format(new Date(`${month}-01T00:00:00Z`));
}
