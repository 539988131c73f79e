/** The facts of an event: when, where, price and host. */
import { bank } from '#contract/constants.ts';
import { ByLine } from './ByLine.tsx';
import type { EventCard } from './content/eventList.ts';
import { eventText } from './content/events.ts';
import { EventHours } from './EventHours.tsx';
import { useNextEventDay } from './eventDays.ts';
import { FactList } from './FactList.tsx';

export function EventFacts({ event }: { event: EventCard }) {
  const next = useNextEventDay(event);
  return (
    <FactList
      facts={[
        { term: eventText.when, is: <EventHours event={event} /> },
        { term: eventText.next, is: next && <time dateTime={next.day}>{next.name}</time> },
        { term: eventText.where, is: bank.address },
        { term: eventText.cost, is: eventText.free },
        { term: eventText.held, is: <ByLine author={event.author} /> },
      ]}
    />
  );
}
