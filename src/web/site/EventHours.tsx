/** The day and hours of an event as text; the hours break across lines only if they are longer than a line. */
import type { EventCard } from './content/eventList.ts';
import './EventHours.css';

export function EventHours({ event }: { event: EventCard }) {
  const [days, hours] = event.when.split(', ');
  return (
    <>
      {days}, <span className="EventHours">{hours}</span>
    </>
  );
}
