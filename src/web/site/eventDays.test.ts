/** When the monthly events take place next. */
import { expect, test } from 'vitest';
import { eventList } from './content/eventList.ts';
import { nextEventDay, sortByNextDay, upcomingDay } from './eventDays.ts';

test('an event’s next date is its day in this month if that is today or later, and otherwise its day in the next month [P-21]', () => {
  const firstThursday = { weekday: 'Thu', week: '1st' } as const;
  expect(nextEventDay(firstThursday, '2026-11-22')).toBe('2026-12-03');
  expect(nextEventDay(firstThursday, '2026-12-03')).toBe('2026-12-03');
  expect(nextEventDay(firstThursday, '2026-12-04')).toBe('2027-01-07');
  expect(nextEventDay({ weekday: 'Sat', week: '4th' }, '2027-01-31')).toBe('2027-02-27');
});

test('an event that falls on a federal holiday is a week later [P-21]', () => {
  // Veterans Day, Christmas Day with New Year's Day after it, and Martin Luther King Day.
  expect(nextEventDay({ weekday: 'Wed', week: '2nd' }, '2026-11-01')).toBe('2026-11-18');
  expect(nextEventDay({ weekday: 'Sat', week: '4th' }, '2027-12-20')).toBe('2028-01-08');
  expect(nextEventDay({ weekday: 'Sat', week: '4th' }, '2028-01-02')).toBe('2028-01-08');
  expect(nextEventDay({ weekday: 'Mon', week: '3rd' }, '2027-01-01')).toBe('2027-01-25');
});

test('on any day of three years, no next date is in the past, and each is on its event’s weekday [P-21]', () => {
  for (let time = Date.UTC(2026, 0, 1); time < Date.UTC(2029, 0, 1); time += 86_400_000) {
    const today = new Date(time).toISOString().slice(0, 10);
    for (const event of eventList) {
      const day = nextEventDay(event, today);
      expect(day >= today, `${event.slug} on ${today}`).toBe(true);
      expect(new Date(day).toUTCString().slice(0, 3)).toBe(event.weekday);
    }
  }
});

test('events are listed by their next dates, the next one first [P-21]', () => {
  const slugs = (today: string) =>
    sortByNextDay(eventList, new Date(`${today}T17:00:00Z`)).map(({ slug }) => slug);
  expect(slugs('2026-11-22')).toEqual([
    'saving-for-later',
    'first-home',
    'statement-in-ten-minutes',
    'business-breakfast',
    'fraud-clinic',
  ]);
  expect(slugs('2026-12-01')[0]).toBe('first-home');
});

test('once an event is over, its next date is in the next month, so that no seat is reserved for the past [P-21]', () => {
  const firstHome = eventList.find(({ slug }) => slug === 'first-home')!;
  expect(upcomingDay(firstHome, new Date('2026-12-03T19:29:59-05:00'))).toBe('2026-12-03');
  expect(upcomingDay(firstHome, new Date('2026-12-03T19:30:00-05:00'))).toBe('2027-01-07');
});
