/** The events on the home page: the next one with its picture, the other four as a list. */

import * as homeMessages from '#contract/messages/home.ts';
import { Link } from '#web/router/Link.tsx';
import { ByLine } from './ByLine.tsx';
import { CalendarDay } from './CalendarDay.tsx';
import { eventList } from './content/eventList.ts';
import { homeRestText } from './content/homeRest.ts';
import { memberNames } from './content/memberNames.ts';
import { EventHours } from './EventHours.tsx';
import { useEventsByDay } from './eventDays.ts';
import { MoreLink } from './MoreLink.tsx';
import './EventsSection.css';

export function EventsSection() {
  const [first = eventList[0], ...others] = useEventsByDay(eventList);
  return (
    <section className="Site-band Site-band--sunken" id="events">
      <div className="Site-wrap">
        <div className="Site-head">
          <h2>{homeRestText.events.title}</h2>
          <MoreLink to="/event">{homeMessages.viewAll}</MoreLink>
        </div>
        <div className="EventsSection">
          <article className="EventsSection-first">
            <img src={first.image} alt="" width={640} height={400} loading="lazy" decoding="async" />
            <CalendarDay event={first} />
            <div>
              <h3>
                <Link className="EventsSection-cover" to={`/event/${first.slug}`}>
                  {first.title}
                </Link>
              </h3>
              <p className="EventsSection-when">
                <EventHours event={first} />
              </p>
              <p>{first.text}</p>
              <ByLine author={first.author} />
            </div>
          </article>
          <ul className="EventsSection-list">
            {others.map((event, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: hydration sorts the events, the boxes stay in place
              <li key={place}>
                <CalendarDay event={event} />
                <div>
                  <h3>
                    <Link to={`/event/${event.slug}`}>{event.title}</Link>
                  </h3>
                  <p className="EventsSection-when">
                    <EventHours event={event} />
                  </p>
                  <p>{event.text}</p>
                  <Link className="EventsSection-by" to={`/members/${event.author}`}>
                    {memberNames[event.author].name}
                  </Link>
                </div>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </section>
  );
}
