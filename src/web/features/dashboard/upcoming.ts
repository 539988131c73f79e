/** The scheduled payments of the next 30 days. Days are written as `2026-12-01`. */
import { isDay } from '#contract/bankTime.ts';
import { plusDays } from '#contract/federalHolidays.ts';
import type { ScheduledTransfer } from '#contract/scheduled.ts';

type Upcoming = { schedule: ScheduledTransfer; date: string };

const horizonDays = 30;

/** Returns the payments of the next 30 days by date. Only active schedules have any, each at most three (`nextDates`). */
export function listUpcoming(schedules: readonly ScheduledTransfer[], today: string): Upcoming[] {
  const last = plusDays(today, horizonDays);
  return schedules
    .filter(({ status }) => status === 'active')
    .flatMap(schedule =>
      schedule.nextDates.filter(date => isDay(date) && date <= last).map(date => ({ schedule, date })),
    )
    .sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}
