/** Upcoming payments. */
import { expect, test } from 'vitest';
import type { ScheduledTransfer } from '#contract/scheduled.ts';
import { listUpcoming } from './upcoming.ts';

const schedule = (amount: number, nextDates: string[], status: ScheduledTransfer['status'] = 'active') =>
  ({ amount, nextDates, status }) as ScheduledTransfer;

test('the active payments of the next 30 days are listed by date [SC-15]', () => {
  const rent = schedule(850, ['2026-12-01', '2027-01-01', '2027-02-01']);
  const allowance = schedule(20.5, ['2026-11-24', '2026-12-01', '2026-12-08']);
  const paused = schedule(5, ['2026-11-25'], 'paused');
  const upcoming = listUpcoming([rent, allowance, paused], '2026-11-22');
  expect(upcoming.map(({ date, schedule: { amount } }) => [date, amount])).toEqual([
    ['2026-11-24', 20.5],
    ['2026-12-01', 850],
    ['2026-12-01', 20.5],
    ['2026-12-08', 20.5],
  ]);
});

test('a date after the year 9999 is not listed as upcoming [SC-27]', () => {
  expect(listUpcoming([schedule(5, ['9999-12-31', '10000-12-31'])], '2026-11-22')).toEqual([]);
});
