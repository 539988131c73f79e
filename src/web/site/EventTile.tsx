/** An event card with picture, title and day. The whole card is a link. `wide`: for a row of its own, with the event's text. */
import { Link } from '#web/router/Link.tsx';
import { classNames } from '#web/ui/classNames.ts';
import type { EventCard } from './content/eventList.ts';
import { eventText } from './content/events.ts';
import { EventHours } from './EventHours.tsx';
import { useNextEventDay } from './eventDays.ts';
import './EventTile.css';

export function EventTile({ event, wide }: { event: EventCard; wide?: boolean }) {
  const next = useNextEventDay(event);
  return (
    <Link className={classNames('EventTile', wide && 'EventTile--wide')} to={`/event/${event.slug}`}>
      <img src={event.image} alt="" width={640} height={400} loading="lazy" decoding="async" />
      <b>{event.title}</b>
      {wide && <span>{event.text}</span>}
      <span>
        <EventHours event={event} />
      </span>
      <span className="EventTile-next">{next && eventText.nextOn(next.name)}</span>
    </Link>
  );
}
