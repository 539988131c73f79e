/** When a monthly event takes place next, in the bank's time zone. */
import { calendarDay } from '#contract/bankTime.ts';
import { bank } from '#contract/constants.ts';
import { isFederalHoliday, plusDays, weekdayOf } from '#contract/federalHolidays.ts';
import { useHydrated } from '#web/base/useHydrated.ts';

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
const weeks = ['1st', '2nd', '3rd', '4th'] as const;

/** `Thu` and `1st`: the first Thursday of each month. */
export type MonthlyDay = { weekday: (typeof weekdays)[number]; week: (typeof weeks)[number] };

/** The event's day in a month such as `2026-12`. If it is a federal holiday, the event is a week later. */
function dayInMonth({ weekday, week }: MonthlyDay, month: string): string {
  const first = `${month}-01`;
  const wait = (weekdays.indexOf(weekday) - weekdayOf(first) + 7) % 7;
  let day = plusDays(first, wait + 7 * weeks.indexOf(week));
  while (isFederalHoliday(day)) day = plusDays(day, 7);
  return day;
}

/** The first day of the event that is not before `today`. Days are written as `2026-11-21`. */
export function nextEventDay(event: MonthlyDay, today: string): string {
  const middle = `${today.slice(0, 7)}-15`;
  // Last month's event may have been postponed into this month.
  const days = [-30, 0, 30].map(wait => dayInMonth(event, plusDays(middle, wait).slice(0, 7)));
  return days.find(day => day >= today)!;
}

/** An event with its hours, such as '…, 6:00–7:30 PM', in the bank's time zone. */
type TimedEvent = MonthlyDay & { when: string };

/**
 * The event's next day; on the day of an event, today until it ends. Moves `now` ahead by the time from the event's end to
 * midnight.
 */
export function upcomingDay(event: TimedEvent, now: Date): string {
  const [, hour, minute] = /(\d+):(\d+) .M$/.exec(event.when)!;
  const hoursToMidnight = (event.when.endsWith('PM') ? 12 : 24) - (Number(hour) % 12) - Number(minute) / 60;
  return nextEventDay(event, calendarDay(new Date(now.getTime() + hoursToMidnight * 3_600_000)));
}

/** The events by their next dates. */
export function sortByNextDay<Event extends TimedEvent>(events: readonly Event[], now: Date): Event[] {
  return events.toSorted((a, b) => upcomingDay(a, now).localeCompare(upcomingDay(b, now)));
}

/**
 * The events sorted by their next dates. Until the page is hydrated they keep the given order, because the build knows no
 * date.
 */
export function useEventsByDay<Event extends TimedEvent>(events: readonly Event[]): readonly Event[] {
  const isHydrated = useHydrated();
  return isHydrated ? sortByNextDay(events, new Date()) : events;
}

const format = new Intl.DateTimeFormat(bank.locale, {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});

/** The event's next date: `name` is `Thu, Dec 3`. Undefined until the page is hydrated, because the build knows no date. */
export function useNextEventDay(event: TimedEvent) {
  const isHydrated = useHydrated();
  if (!isHydrated) return undefined;
  const day = upcomingDay(event, new Date());
  const date = new Date(day);
  const parts = Object.fromEntries(format.formatToParts(date).map(({ type, value }) => [type, value]));
  return { day, name: format.format(date), month: parts.month, dayOfMonth: parts.day };
}
