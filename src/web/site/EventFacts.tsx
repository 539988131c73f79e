/** When, where, for how much and with whom: the lines every event has. */
import { bank } from '#contract/constants.ts';
import { ByLine } from './ByLine.tsx';
import type { EventCard } from './content/eventList.ts';
import { eventText } from './content/events.ts';
import './EventFacts.css';

export function EventFacts({ event }: { event: EventCard }) {
  return (
    <dl className="EventFacts">
      <div>
        <dt>{eventText.when}</dt>
        <dd>{event.when}</dd>
      </div>
      <div>
        <dt>{eventText.where}</dt>
        <dd>{bank.address}</dd>
      </div>
      <div>
        <dt>{eventText.cost}</dt>
        <dd>{eventText.free}</dd>
      </div>
      <div>
        <dt>{eventText.held}</dt>
        <dd>
          <ByLine author={event.author} />
        </dd>
      </div>
    </dl>
  );
}
