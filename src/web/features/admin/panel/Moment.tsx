/** A moment as the bank's calendar and clock have it: the day, and the time of day beside it where it matters. */
import { calendarDay, nameOfDay, timeOfDay } from '#contract/bankTime.ts';
import './Moment.css';

export type MomentProps = {
  /** ISO 8601 in UTC, as on the wire. */
  iso: string;
  withTime?: boolean;
};

export function Moment({ iso, withTime }: MomentProps) {
  return (
    <time dateTime={iso} className="Moment">
      {nameOfDay(calendarDay(new Date(iso)))}
      {withTime && <span className="Moment-time"> {timeOfDay(iso)}</span>}
    </time>
  );
}
