/** The monthly amount that a goal needs, and when its rule reaches the target. */
import { expect, test } from 'vitest';
import { neededEachMonth, reachedOn } from './goalPace.ts';

test.each([
  [{ saved: 0, target: 1200 }, '2027-11-22', 10_000n],
  [{ saved: 100.5, target: 1200 }, '2027-11-22', 9_200n],
  [{ saved: 0, target: 1200 }, '2027-11-21', 11_000n],
  [{ saved: 0, target: 1200 }, '2026-12-21', undefined],
  [{ saved: 1200, target: 1200 }, '2027-11-22', undefined],
])('%j until %s needs %s cents a month [GO-12]', (goal, day, cents) => {
  expect(neededEachMonth(goal, day, '2026-11-22')).toBe(cents);
});

test.each([
  [{ saved: 0, target: 100 }, 'weekly', 25, '2026-12-29'],
  [{ saved: 10, target: 100 }, 'biweekly', 30, '2027-01-05'],
  [{ saved: 0, target: 100.01 }, 'weekly', 50, '2026-12-22'],
  [{ saved: 99, target: 100 }, 'monthly', 25, '2026-12-08'],
  [{ saved: 100, target: 100 }, 'monthly', 25, undefined],
  [{ saved: 0, target: 1_000_000_000 }, 'weekly', 0.01, undefined],
] as const)('%j with a %s rule of %d from Dec 8 is reached on %s [GO-12]', (goal, frequency, amount, day) => {
  expect(reachedOn(goal, { frequency, amount, startDate: '2026-12-08', nextDate: '2026-12-08' })).toBe(day);
});

test('a monthly rule that began on the 31st reaches its goal on the last day of a shorter month [GO-12]', () => {
  const rule = { frequency: 'monthly', amount: 50, startDate: '2026-12-31' } as const;
  expect(reachedOn({ saved: 0, target: 150 }, { ...rule, nextDate: '2026-12-31' })).toBe('2027-02-28');
  expect(reachedOn({ saved: 0, target: 100 }, { ...rule, nextDate: '2027-02-28' })).toBe('2027-03-31');
});
