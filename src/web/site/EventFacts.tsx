/** When, where, for how much and with whom: the lines every event has. */
import { bank } from '#contract/constants.ts';
import { ByLine } from './ByLine.tsx';
import type { EventCard } from './content/eventList.ts';
import { eventText } from './content/events.ts';
import { FactList } from './FactList.tsx';

export function EventFacts({ event }: { event: EventCard }) {
  return (
    <FactList
      facts={[
        { name: eventText.when, value: event.when },
        { name: eventText.where, value: bank.address },
        { name: eventText.cost, value: eventText.free },
        { name: eventText.held, value: <ByLine author={event.author} /> },
      ]}
    />
  );
}
