/** The monthly amount that a goal needs. */
import { expect, test } from 'vitest';
import { neededEachMonth } from './neededEachMonth.ts';

test.each([
  [{ saved: 0, target: 1200 }, '2027-11-22', 10_000n],
  [{ saved: 100.5, target: 1200 }, '2027-11-22', 9_200n],
  [{ saved: 0, target: 1200 }, '2027-11-21', 11_000n],
  [{ saved: 0, target: 1200 }, '2026-12-21', undefined],
  [{ saved: 1200, target: 1200 }, '2027-11-22', undefined],
])('%j until %s needs %s cents a month [GO-12]', (goal, day, cents) => {
  expect(neededEachMonth(goal, day, '2026-11-22')).toBe(cents);
});
