/** The day and hours of an event as text; the hours never break across lines. */
import type { EventCard } from './content/eventList.ts';

export function EventHours({ event }: { event: EventCard }) {
  const [days, hours] = event.when.split(', ');
  return (
    <>
      {days}, <span className="num">{hours}</span>
    </>
  );
}
