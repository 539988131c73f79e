/** A time in the bank's time zone: the day and, if `withTime`, the time of day. */
import { calendarDay, nameOfDay, timeOfDay } from '#contract/bankTime.ts';
import { classNames } from '#web/ui/classNames.ts';
import './Moment.css';

export type MomentProps = {
  /** ISO 8601 in UTC, as sent by the server. */
  iso: string;
  withTime?: boolean;
  small?: boolean;
};

export function Moment({ iso, withTime, small }: MomentProps) {
  return (
    <time dateTime={iso} className={classNames('Moment', small && 'type-small')}>
      {nameOfDay(calendarDay(new Date(iso)))}
      {withTime && <span className="Moment-time"> {timeOfDay(iso)}</span>}
    </time>
  );
}
