/**
 * An event's next date as on a calendar: a small 'Dec' above a large '3'. A prerendered page doesn't know the date, so until
 * hydration it shows the rule: a small '1st' above a large 'Thu'.
 */
import type { EventCard } from './content/eventList.ts';
import { useNextEventDay } from './eventDays.ts';
import './CalendarDay.css';

export function CalendarDay({ event }: { event: EventCard }) {
  const next = useNextEventDay(event);
  return (
    <p className="CalendarDay" aria-hidden={!next}>
      <span>{next?.month ?? event.week}</span> <b>{next?.dayOfMonth ?? event.weekday}</b>
    </p>
  );
}
