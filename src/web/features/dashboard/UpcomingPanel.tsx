/** The scheduled payments of the next 30 days on the overview, and what is left of the balance after them. */
import { calendarDay, shortDay } from '#contract/bankTime.ts';
import { fill } from '#contract/messages/fill.ts';
import { dollarsToCents, formatCents } from '#contract/money.ts';
import { Money } from '#web/bank/Money.tsx';
import { useListScheduledQuery } from '#web/features/scheduled/scheduledCalls.ts';
import { Link } from '#web/router/Link.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { leftAfter, listUpcoming } from './upcoming.ts';
import { words } from './words.ts';
import './UpcomingPanel.css';

const mostListed = 4;

/** `balance` in dollars; undefined until it is loaded. Renders nothing without upcoming payments. */
export function UpcomingPanel({ balance, hidden }: { balance: number | undefined; hidden: boolean }) {
  const { data: schedules = [] } = useListScheduledQuery();
  const upcoming = listUpcoming(schedules, calendarDay(new Date()));
  if (upcoming.length === 0 || balance === undefined) return null;
  const left = leftAfter(dollarsToCents(balance) ?? 0n, upcoming);
  const text = left < 0n ? words.short : words.left;
  return (
    <Panel className="UpcomingPanel" label={words.upcoming}>
      <div className="UpcomingPanel-top">
        <h2 className="type-head">{words.upcoming}</h2>
        <Link className="link" to="/dashboard/scheduled">
          {words.seeAll}
        </Link>
      </div>
      <ul>
        {upcoming.slice(0, mostListed).map(({ schedule, date }) => (
          <li key={`${schedule._id} ${date}`} className="UpcomingPanel-row">
            <span className="UpcomingPanel-day num">{shortDay(`${date}T17:00:00Z`)}</span>
            <span className="UpcomingPanel-name">{schedule.name}</span>
            <Money dollars={schedule.amount} hidden={hidden} />
          </li>
        ))}
      </ul>
      <p className="UpcomingPanel-left">
        {hidden ? words.leftHidden : fill(text, { amount: formatCents(left < 0n ? -left : left) })}
      </p>
    </Panel>
  );
}
