/** A small event card with picture, title and day. The whole card is a link. */
import { Link } from 'react-router';
import type { EventCard } from './content/eventList.ts';
import { eventText } from './content/events.ts';
import { useNextEventDay } from './eventDays.ts';
import './EventTile.css';

export function EventTile({ event }: { event: EventCard }) {
  const next = useNextEventDay(event);
  return (
    <Link className="EventTile" to={`/event/${event.slug}`}>
      <img src={event.image} alt="" width={640} height={400} loading="lazy" decoding="async" />
      <b>{event.title}</b>
      <span>{event.when}</span>
      <span className="EventTile-next">{next && eventText.nextOn(next.name)}</span>
    </Link>
  );
}
