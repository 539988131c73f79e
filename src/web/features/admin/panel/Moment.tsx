/** A moment as the bank's calendar and clock have it: the day, and the time of day beside it where it matters. */
import { calendarDay, nameOfDay, timeOfDay } from '#contract/bankTime.ts';

export type MomentProps = {
  /** ISO 8601 in UTC, as on the wire. */
  iso: string;
  withTime?: boolean;
};

export function Moment({ iso, withTime }: MomentProps) {
  return (
    <time dateTime={iso} className="whitespace-nowrap tabular-nums">
      {nameOfDay(calendarDay(new Date(iso)))}
      {withTime && <span className="block text-ink-3 @max-[900px]:inline"> {timeOfDay(iso)}</span>}
    </time>
  );
}
