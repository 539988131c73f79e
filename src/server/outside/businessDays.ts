/**
 * Business days of the payment rail: Monday to Friday except federal holidays. If a holiday falls on a Saturday, the Friday
 * before is not a business day either, although the Federal Reserve Banks are open. A day is `YYYY-MM-DD`.
 */
import { isFederalHoliday, plusDays, weekdayOf } from '#contract/federalHolidays.ts';

const [sunday, saturday] = [0, 6];

/** Whether the rail processes payments on this day. */
export function isBusinessDay(day: string): boolean {
  const weekday = weekdayOf(day);
  return weekday !== saturday && weekday !== sunday && !isFederalHoliday(day);
}

/** The day `count` business days after `day`. A day that is not a business day counts as the next business day. */
export function addBusinessDays(day: string, count: number): string {
  let reached = day;
  while (!isBusinessDay(reached)) reached = plusDays(reached, 1);
  for (let left = count; left > 0; ) {
    reached = plusDays(reached, 1);
    if (isBusinessDay(reached)) left--;
  }
  return reached;
}
