/** The facts of an event: when, where, price and host. */
import { bank } from '#contract/constants.ts';
import { ByLine } from './ByLine.tsx';
import type { EventCard } from './content/eventList.ts';
import { eventText } from './content/events.ts';
import { FactList } from './FactList.tsx';

export function EventFacts({ event }: { event: EventCard }) {
  return (
    <FactList
      facts={[
        { term: eventText.when, is: event.when },
        { term: eventText.where, is: bank.address },
        { term: eventText.cost, is: eventText.free },
        { term: eventText.held, is: <ByLine author={event.author} /> },
      ]}
    />
  );
}
