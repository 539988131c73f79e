/** Dates are days in the bank's time zone (New York), independent of the reader's own time zone. */
import { expect, test } from 'vitest';
import {
  calendarDay,
  dayAndTime,
  dayWithoutYear,
  monthOf,
  nameOfDay,
  nameOfDays,
  nameOfMonth,
  shortDay,
} from './bankTime.ts';

const lateInNewYork = '2026-12-01T04:30:00.000Z';

test('a timestamp late in the evening belongs to the day and month in New York', () => {
  expect(shortDay(lateInNewYork, new Date('2026-12-02T12:00:00Z'))).toBe('Nov 30');
  expect(monthOf(lateInNewYork)).toBe('2026-11');
  expect(dayAndTime(lateInNewYork).replace(/\s/g, ' ')).toBe('Nov 30, 2026, 11:30 PM');
});

test('the calendar day is the one in New York, and a date without a time is not shifted', () => {
  expect(calendarDay(new Date(lateInNewYork))).toBe('2026-11-30');
  expect(calendarDay(new Date('2026-01-05T12:00:00Z'))).toBe('2026-01-05');
  expect(calendarDay(new Date('2026-11-21T04:59:59Z'))).toBe('2026-11-20');
  expect(calendarDay(new Date('2026-11-21T05:00:00Z'))).toBe('2026-11-21');
  expect(calendarDay(new Date('2026-07-01T03:59:59Z'))).toBe('2026-06-30');
  expect(calendarDay(new Date('2026-07-01T04:00:00Z'))).toBe('2026-07-01');
  expect(nameOfDay('2026-01-05')).toBe('Jan 5, 2026');
  expect(dayWithoutYear('2026-01-05')).toBe('Jan 5');
});

test('a day in another year includes the year', () => {
  expect(shortDay('2025-07-04T12:00:00.000Z', new Date('2026-01-01T12:00:00Z'))).toBe('Jul 4, 2025');
});

test('a range of days repeats neither a month nor a year', () => {
  expect(nameOfDays('2026-11-03', '2026-11-09')).toBe('Nov 3–9, 2026');
  expect(nameOfDays('2026-10-30', '2026-11-05')).toBe('Oct 30 – Nov 5, 2026');
  expect(nameOfDays('2025-12-30', '2026-01-05')).toBe('Dec 30, 2025 – Jan 5, 2026');
  expect(nameOfDays('2026-11-03', '2026-11-03')).toBe('Nov 3, 2026');
});

test('a text that is no day is shown as it is [SC-27]', () => {
  for (const text of ['10000-01-31', '2026-13-01', ''])
    expect([nameOfDay(text), dayWithoutYear(text)]).toEqual([text, text]);
});

test('a month has a short, a long and a full name', () => {
  expect(['short', 'long', 'full'].map(form => nameOfMonth('2026-09', form as 'short'))).toEqual([
    'Sep',
    'September',
    'September 2026',
  ]);
});
