/** Ages and waiting times. */
import { expect, test } from 'vitest';
import { ageOn, daysBetween } from './waitingTimes.ts';

test('a customer turns eighteen on the birthday, not the day before', () => {
  expect(ageOn('2008-11-22', '2026-11-21')).toBe(17);
  expect(ageOn('2008-11-22', '2026-11-22')).toBe(18);
});

test('waiting days are calendar days, also across a change of the clocks', () => {
  expect(daysBetween('2026-10-30', '2026-11-03')).toBe(4);
  expect(daysBetween('2026-11-22', '2026-11-22')).toBe(0);
});
