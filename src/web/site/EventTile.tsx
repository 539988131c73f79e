/** A small event card with picture, title and day. The whole card is a link. */
import { Link } from 'react-router';
import type { EventCard } from './content/eventList.ts';
import './EventTile.css';

export function EventTile({ event }: { event: EventCard }) {
  return (
    <Link className="EventTile" to={`/event/${event.slug}`}>
      <img src={event.image} alt="" width={640} height={400} loading="lazy" decoding="async" />
      <b>{event.title}</b>
      <span>{event.when}</span>
    </Link>
  );
}
