/** Dates on which the bank moves money. If the balance is too low, the bank tries again later. */
import { useEffect } from 'react';
import { calendarDay, timeOfDay } from '#contract/bankTime.ts';
import { fill } from '#contract/messages/fill.ts';
import * as scheduledMessages from '#contract/messages/scheduled.ts';
import { shortName } from '#contract/ruleText.ts';

/** The delay of the first refetch, and the interval of the next ones. From 6 AM the bank runs due dates once a second. */
const [runMs, pauseMs] = [2_000, 60_000];

/** Loads the list again while a date is due, because a date that is postponed for lack of money sends no live update. */
export function useRefetchWhenDue(
  dates: readonly { nextDate?: string | null | undefined; retriesAt?: string | undefined }[] | undefined,
  refetch: () => unknown,
): void {
  const isDue = dates?.some(
    ({ nextDate, retriesAt }) => nextDate && nextDate <= calendarDay(new Date()) && !retriesAt,
  );
  useEffect(() => {
    if (!isDue) return;
    const soon = setTimeout(refetch, runMs);
    const later = setInterval(refetch, pauseMs);
    return () => {
      clearTimeout(soon);
      clearInterval(later);
    };
  }, [isDue, refetch]);
}

/** The time of the next try, with its day if that is not today. */
export function timeOfRetry(retriesAt: string): string {
  const [time, day] = [timeOfDay(retriesAt), calendarDay(new Date(retriesAt))];
  return day === calendarDay(new Date())
    ? time
    : fill(scheduledMessages.retryAt, { time, day: shortName(day) });
}
