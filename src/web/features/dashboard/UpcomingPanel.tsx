/** The first scheduled payments of the next 30 days, on the overview. */
import { calendarDay } from '#contract/bankTime.ts';
import { shortName } from '#contract/ruleText.ts';
import { Money } from '#web/bank/Money.tsx';
import { selectCustomer } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';
import { useListScheduledQuery } from '#web/features/scheduled/scheduledCalls.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { ListPanel } from './ListPanel.tsx';
import { listUpcoming } from './upcoming.ts';
import { words } from './words.ts';
import './UpcomingPanel.css';

const mostListed = 3;

export function UpcomingPanel({ hidden }: { hidden: boolean }) {
  const { data: schedules, isError, refetch } = useListScheduledQuery();
  const isFrozen = useAppSelector(selectCustomer)?.isFrozen ?? false;
  const upcoming = schedules && listUpcoming(schedules, calendarDay(new Date()));
  return (
    <ListPanel
      title={words.upcoming}
      to="/dashboard/scheduled"
      hasMore={schedules !== undefined && schedules.length > 0}
      isFailed={isError}
      failed={words.upcomingFailed}
      onRetry={refetch}
      skeleton={<Skeleton kind="text" count={mostListed} label={words.upcomingLoading} />}
      add={
        !isFrozen && upcoming && upcoming.length < mostListed && { icon: 'calendar', label: words.schedule }
      }
    >
      {isFrozen ? (
        <p>{words.upcomingFrozen}</p>
      ) : upcoming?.length === 0 ? (
        <p>{words.upcomingNone}</p>
      ) : (
        upcoming && (
          <ul>
            {upcoming.slice(0, mostListed).map(({ schedule, date }) => (
              <li key={`${schedule._id} ${date}`} className="UpcomingPanel-row">
                <span className="UpcomingPanel-day num">{shortName(date)}</span>
                <span className="UpcomingPanel-name">{schedule.name}</span>
                <Money dollars={schedule.amount} hidden={hidden} />
              </li>
            ))}
          </ul>
        )
      )}
    </ListPanel>
  );
}
