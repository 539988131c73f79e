/** The day and time of an event as text, with its next date on a line of its own. */
import type { EventCard } from './content/eventList.ts';
import { eventText } from './content/events.ts';
import { useNextEventDay } from './eventDays.ts';
import './EventWhen.css';

export function EventWhen({ event }: { event: EventCard }) {
  const next = useNextEventDay(event);
  const [days, hours] = event.when.split(', ');
  return (
    <p className="EventWhen">
      {days}, <span className="num">{hours}</span>
      <span className="EventWhen-next">{next && eventText.nextOn(next.name)}</span>
    </p>
  );
}
