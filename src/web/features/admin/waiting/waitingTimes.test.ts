/** Ages and waiting times. */
import { expect, test } from 'vitest';
import { ageOn, daysBetween, describeWait } from './waitingTimes.ts';

test('a customer turns eighteen on the birthday, not the day before', () => {
  expect(ageOn('2008-11-22', '2026-11-21')).toBe(17);
  expect(ageOn('2008-11-22', '2026-11-22')).toBe(18);
});

test('waiting days are calendar days, even when daylight saving time ends', () => {
  expect(daysBetween('2026-10-30', '2026-11-03')).toBe(4);
  expect(daysBetween('2026-11-22', '2026-11-22')).toBe(0);
});

test('an application is due after 24 hours and late after 48 [SD-16]', () => {
  const now = Date.parse('2026-11-22T12:00:00Z');
  const after = (hours: number) => describeWait(new Date(now - hours * 3_600_000).toISOString(), now);
  expect(after(0)).toEqual({ state: 'new', hours: 48 });
  expect(after(23.9)).toEqual({ state: 'new', hours: 25 });
  expect(after(24)).toEqual({ state: 'due', hours: 24 });
  expect(after(47.5)).toEqual({ state: 'due', hours: 1 });
  expect(after(48)).toEqual({ state: 'late', hours: 0 });
  expect(after(75)).toEqual({ state: 'late', hours: 27 });
});
