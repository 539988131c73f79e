/** The business-day calendar, compared with the holidays that the government publishes. */
import { expect, test } from 'vitest';
import { addBusinessDays, isBusinessDay } from './businessDays.ts';

/** All days of a year except weekends. */
function weekdaysOf(year: number): string[] {
  const days: string[] = [];
  for (let at = Date.UTC(year, 0, 1); at < Date.UTC(year + 1, 0, 1); at += 86_400_000) {
    const date = new Date(at);
    if (date.getUTCDay() % 6 !== 0) days.push(date.toISOString().slice(0, 10));
  }
  return days;
}

test.each([
  // New Year's Day 2022 and Christmas 2021 fell on Saturdays and were observed the day before.
  [2020, '01-01 01-20 02-17 05-25 07-03 09-07 10-12 11-11 11-26 12-25'],
  [2021, '01-01 01-18 02-15 05-31 06-18 07-05 09-06 10-11 11-11 11-25 12-24 12-31'],
  [2022, '01-17 02-21 05-30 06-20 07-04 09-05 10-10 11-11 11-24 12-26'],
  [2023, '01-02 01-16 02-20 05-29 06-19 07-04 09-04 10-09 11-10 11-23 12-25'],
  [2026, '01-01 01-19 02-16 05-25 06-19 07-03 09-07 10-12 11-11 11-26 12-25'],
  [2027, '01-01 01-18 02-15 05-31 06-18 07-05 09-06 10-11 11-11 11-25 12-24 12-31'],
  [2028, '01-17 02-21 05-29 06-19 07-04 09-04 10-09 11-10 11-23 12-25'],
])('in %i every weekday except the federal holidays is a business day [M-10]', (year, holidays) => {
  const holidaysFound = weekdaysOf(year).filter(day => !isBusinessDay(day));
  expect(holidaysFound).toEqual(holidays.split(' ').map(day => `${year}-${day}`));
});

test('no Saturday or Sunday is a business day', () => {
  for (const day of ['2026-11-21', '2026-11-22', '2028-01-01', '2027-06-19'])
    expect(isBusinessDay(day), day).toBe(false);
});

test('counting business days skips weekends and holidays, across the end of a year', () => {
  expect(addBusinessDays('2026-11-16', 3), 'Monday to Thursday').toBe('2026-11-19');
  expect(addBusinessDays('2026-11-20', 3), 'over a weekend').toBe('2026-11-25');
  expect(addBusinessDays('2026-11-20', 4), 'over Thanksgiving').toBe('2026-11-27');
  expect(addBusinessDays('2026-11-21', 3), 'a Saturday counts as the Monday after').toBe('2026-11-27');
  expect(addBusinessDays('2026-12-24', 7), 'over Christmas and New Year').toBe('2027-01-06');
  expect(addBusinessDays('2026-07-03', 0), 'a holiday counts as the next business day').toBe('2026-07-06');
});
