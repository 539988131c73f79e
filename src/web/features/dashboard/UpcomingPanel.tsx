/** The scheduled payments of the next 30 days on the overview. */
import { calendarDay } from '#contract/bankTime.ts';
import { LoadFailed } from '#web/bank/LoadFailed.tsx';
import { Money } from '#web/bank/Money.tsx';
import { shortName } from '#web/bank/ruleText.ts';
import { selectCustomer } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';
import { useListScheduledQuery } from '#web/features/scheduled/scheduledCalls.ts';
import { Button } from '#web/ui/Button.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { ListPanel } from './ListPanel.tsx';
import { listUpcoming } from './upcoming.ts';
import { words } from './words.ts';
import './UpcomingPanel.css';

const mostListed = 3;

export function UpcomingPanel({ hidden }: { hidden: boolean }) {
  const { data: schedules, isError, refetch } = useListScheduledQuery();
  const frozen = useAppSelector(selectCustomer)?.isFrozen;
  const upcoming = schedules && listUpcoming(schedules, calendarDay(new Date()));
  return (
    <ListPanel
      title={words.upcoming}
      to="/dashboard/scheduled"
      hasMore={schedules !== undefined && schedules.length > 0}
    >
      {frozen ? (
        <p>{words.upcomingFrozen}</p>
      ) : upcoming ? (
        <>
          {upcoming.length === 0 && <p>{words.upcomingNone}</p>}
          <ul>
            {upcoming.slice(0, mostListed).map(({ schedule, date }) => (
              <li key={`${schedule._id} ${date}`} className="UpcomingPanel-row">
                <span className="UpcomingPanel-day num">{shortName(date)}</span>
                <span className="UpcomingPanel-name">{schedule.name}</span>
                <Money dollars={schedule.amount} hidden={hidden} />
              </li>
            ))}
          </ul>
          {upcoming.length < mostListed && (
            <Button kind="quiet" size="s" icon="calendar" to="/dashboard/scheduled">
              {words.schedule}
            </Button>
          )}
        </>
      ) : isError ? (
        <LoadFailed title={words.upcomingFailed} onRetry={refetch} />
      ) : (
        <Skeleton kind="text" count={3} label={words.upcomingLoading} />
      )}
    </ListPanel>
  );
}
