/**
 * Days and times in the bank's time zone, independent of the reader's, and their formats. Rows show `Nov 20` (`shortDay`).
 * Tables, details and mails show `Nov 21, 2026` and `Nov 21, 2026, 9:41 AM` (`nameOfDay`, `dayAndTime`). A chart axis shows
 * `Nov 21` and `Nov` (`dayWithoutYear`, `nameOfMonth`). `nameOfDay` and `dayWithoutYear` show a day that they cannot format,
 * such as `10000-01-31`, as it is: an error would take away the whole screen.
 */
import { bank } from './constants.ts';

const clock = new Intl.DateTimeFormat(bank.locale, { timeZone: bank.timeZone, timeStyle: 'short' });
/** Sweden writes days as ISO 8601 does. `formatToParts` would take fifty times the memory. */
const isoDay = new Intl.DateTimeFormat('sv-SE', { timeZone: bank.timeZone });

/** `Nov 20`, or `Nov 20, 2025` if `now` is in a different year. `moment` is an ISO 8601 time. */
export function shortDay(moment: string, now = new Date()): string {
  const day = calendarDay(new Date(moment));
  return day.slice(0, 4) === calendarDay(now).slice(0, 4) ? dayWithoutYear(day) : nameOfDay(day);
}

/** `9:41 AM`. */
export function timeOfDay(moment: string | Date): string {
  return clock.format(new Date(moment));
}

const clock24 = new Intl.DateTimeFormat('en-GB', { timeZone: bank.timeZone, timeStyle: 'medium' });

/** `09:41:07`, for files that programs read. */
export function clockTime(moment: Date): string {
  return clock24.format(moment);
}

/** `Nov 21, 2026, 9:41 AM`. */
export function dayAndTime(moment: string | Date): string {
  return `${nameOfDay(calendarDay(new Date(moment)))}, ${timeOfDay(moment)}`;
}

/** The first whole minute at or after a moment, as `Nov 21, 2026, 9:42 AM`: a wait that ends at the moment is over by then. */
export const minuteAfter = (moment: string): string =>
  dayAndTime(new Date(Math.ceil(Date.parse(moment) / 60_000) * 60_000));

/** The month of a moment in the bank's time zone, as `2026-11`. */
export function monthOf(moment: string | Date): string {
  return calendarDay(new Date(moment)).slice(0, 7);
}

/** The bank's calendar day at a moment, as `2026-11-21`. */
export function calendarDay(moment: Date): string {
  return isoDay.format(moment);
}

/** Whether the formats can show this day. */
export const isDay = (day: string): boolean => !Number.isNaN(Date.parse(`${day}T00:00:00Z`));

/** A calendar day, `2026-11-21`, as 'Nov 21, 2026'. It has no time, so no time zone applies. */
export function nameOfDay(day: string): string {
  if (!isDay(day)) return day;
  return `${dayWithoutYear(day)}, ${day.slice(0, 4)}`;
}

/** A calendar day as 'Nov 21', for places where the year is clear from the context. */
export function dayWithoutYear(day: string): string {
  if (!isDay(day)) return day;
  return `${nameOfMonth(day.slice(0, 7), 'short')} ${Number(day.slice(8))}`;
}

/** The days from one to another as 'Nov 21', 'Nov 3–9' or 'Oct 30 – Nov 5', for places where the year is clear. */
export function daysWithoutYear(from: string, to: string): string {
  if (from === to) return dayWithoutYear(to);
  return from.slice(0, 7) === to.slice(0, 7)
    ? `${dayWithoutYear(from)}–${Number(to.slice(8))}`
    : `${dayWithoutYear(from)} – ${dayWithoutYear(to)}`;
}

/** The days from one to another as 'Nov 21, 2026', 'Nov 3–9, 2026' or 'Dec 30, 2025 – Jan 5, 2026'. */
export function nameOfDays(from: string, to: string): string {
  return from.slice(0, 4) === to.slice(0, 4)
    ? `${daysWithoutYear(from, to)}, ${to.slice(0, 4)}`
    : `${nameOfDay(from)} – ${nameOfDay(to)}`;
}

/** A calendar day as 'Sat, Nov 28, 2026'. */
export function dayWithWeekday(day: string): string {
  const weekday = new Intl.DateTimeFormat(bank.locale, { weekday: 'short', timeZone: 'UTC' });
  return `${weekday.format(new Date(`${day}T00:00:00Z`))}, ${nameOfDay(day)}`;
}

// Formats and parses in UTC, so that the month cannot shift. Created once, because creating a format takes as long as rendering
// a whole mail.
const monthFormat = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(bank.locale, { ...options, timeZone: 'UTC' });
const monthFormats = {
  short: monthFormat({ month: 'short' }),
  long: monthFormat({ month: 'long' }),
  full: monthFormat({ month: 'long', year: 'numeric' }),
};

/** `2026-11` as 'Nov', 'November' or 'November 2026'. */
export function nameOfMonth(month: string, form: keyof typeof monthFormats): string {
  return monthFormats[form].format(new Date(`${month}-01T00:00:00Z`));
}
