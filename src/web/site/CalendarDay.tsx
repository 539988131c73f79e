/** The day of a monthly event in short: a small '1st' over a large 'Thu'. The words beside it say the same in full. */
import './CalendarDay.css';

export function CalendarDay({ weekday, week }: { weekday: string; week: string }) {
  return (
    <p className="CalendarDay" aria-hidden="true">
      <span>{week}</span>
      <b>{weekday}</b>
    </p>
  );
}
