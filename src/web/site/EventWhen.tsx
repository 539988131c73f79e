/** The day and time of an event as text, with its next date on a line of its own. */
import type { EventCard } from './content/eventList.ts';
import { eventText } from './content/events.ts';
import { EventHours } from './EventHours.tsx';
import { useNextEventDay } from './eventDays.ts';
import './EventWhen.css';

export function EventWhen({ event }: { event: EventCard }) {
  const next = useNextEventDay(event);
  return (
    <p className="EventWhen">
      <EventHours event={event} />
      <span className="EventWhen-next">{next && eventText.nextOn(next.name)}</span>
    </p>
  );
}
