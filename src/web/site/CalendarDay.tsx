/** The weekday of a monthly event: a small '1st' above a large 'Thu'. The text next to it says the same in full. */
import './CalendarDay.css';

export function CalendarDay({ weekday, week }: { weekday: string; week: string }) {
  return (
    <p className="CalendarDay" aria-hidden="true">
      <span>{week}</span>
      <b>{weekday}</b>
    </p>
  );
}
