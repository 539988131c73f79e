/** The day of a monthly event as on a calendar: 'Thu' over a large '1st'. The words beside it say the same in full. */
import './CalendarDay.css';

export function CalendarDay({ weekday, week }: { weekday: string; week: string }) {
  return (
    <p className="CalendarDay" aria-hidden="true">
      <span>{weekday}</span>
      <b>
        {week.slice(0, -2)}
        <small>{week.slice(-2)}</small>
      </b>
    </p>
  );
}
