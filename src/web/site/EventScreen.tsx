/** One event: what happens, what to bring, and how to reserve a seat. */
import { helpDeskAddress } from '#web/base/helpDesk.ts';
import { Button } from '#web/ui/Button.tsx';
import { Ranges } from '#web/ui/Ranges.tsx';
import { eventList, findEvent } from './content/eventList.ts';
import { eventText, eventTexts } from './content/events.ts';
import { EventFacts } from './EventFacts.tsx';
import { EventHours } from './EventHours.tsx';
import { EventTile } from './EventTile.tsx';
import { useNextEventDay } from './eventDays.ts';
import { PageTitle } from './PageTitle.tsx';
import './EventScreen.css';
import './site.css';

export function EventScreen({ slug }: { slug: string }) {
  const event = findEvent(slug);
  const text = eventTexts[slug]!;
  const next = useNextEventDay(event);
  const { title } = event;
  return (
    <div className="Site">
      <PageTitle above={<EventHours event={event} />} heading={title} lead={event.text} picture={event.image}>
        <p className="EventScreen-ways">
          {/* Opens the contact form, filled in. */}
          <Button
            to={helpDeskAddress(eventText.seatSubject(title), eventText.seatMessage(title, next?.name))}
          >
            {eventText.reserve}
          </Button>
          <Button kind="quiet" to="/event">
            {eventText.all}
          </Button>
        </p>
      </PageTitle>
      <div className="Site-wrap EventScreen">
        <div className="EventScreen-text">
          {text.paragraphs.map(paragraph => (
            <p key={paragraph}>
              <Ranges>{paragraph}</Ranges>
            </p>
          ))}
          <h2>{eventText.bring}</h2>
          <ul>
            {text.bring.map(thing => (
              <li key={thing}>{thing}</li>
            ))}
          </ul>
        </div>
        <div>
          <EventFacts event={event} />
          <p className="EventScreen-note">{eventText.holidays}</p>
        </div>
      </div>
      <section className="Site-band Site-band--sunken">
        <div className="Site-wrap">
          <h2>{eventText.others}</h2>
          <ul className="EventScreen-others">
            {eventList
              .filter(one => one !== event)
              .map(one => (
                <li key={one.slug}>
                  <EventTile event={one} />
                </li>
              ))}
          </ul>
        </div>
      </section>
    </div>
  );
}
