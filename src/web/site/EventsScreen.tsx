/** All five events in a column, the next one first, with the picture on alternating sides. */
import { Link } from '#web/router/Link.tsx';
import { ByLine } from './ByLine.tsx';
import { eventList } from './content/eventList.ts';
import { eventText } from './content/events.ts';
import { EventWhen } from './EventWhen.tsx';
import { useEventsByDay } from './eventDays.ts';
import { PageTitle } from './PageTitle.tsx';
import './EventsScreen.css';
import './site.css';

export function EventsScreen() {
  const events = useEventsByDay(eventList);
  return (
    <div className="Site">
      <PageTitle heading={eventText.title} lead={eventText.lead} />
      <ul className="Site-wrap EventsScreen">
        {events.map((event, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: hydration sorts the events, the boxes stay in place
          <li key={place}>
            <Link to={`/event/${event.slug}`} tabIndex={-1} aria-hidden="true">
              <img src={event.image} alt="" width={640} height={400} loading="lazy" decoding="async" />
            </Link>
            <div>
              <EventWhen event={event} />
              <h2>
                <Link to={`/event/${event.slug}`}>{event.title}</Link>
              </h2>
              <p className="EventsScreen-text">{event.text}</p>
              <ByLine author={event.author} />
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
