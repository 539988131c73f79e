/** The first savings goals on the overview, and a link to all of them. */
import { fill } from '#contract/messages/fill.ts';
import { formatDollars } from '#contract/money.ts';
import { GoalPicture } from '#web/bank/GoalPicture.tsx';
import { selectCustomer } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';
import { useListGoalsQuery } from '#web/features/goals/goalsCalls.ts';
import { Progress } from '#web/ui/Progress.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { ListPanel } from './ListPanel.tsx';
import { words } from './words.ts';
import './GoalsPanel.css';

const mostListed = 2;

export function GoalsPanel({ hidden }: { hidden: boolean }) {
  const { data, isError, refetch } = useListGoalsQuery();
  const isFrozen = useAppSelector(selectCustomer)?.isFrozen ?? false;
  const count = data?.goals.length;
  return (
    <ListPanel
      title={words.goals}
      to="/dashboard/goals"
      hasMore={count !== undefined && count > 0}
      isFailed={isError}
      failed={words.goalsFailed}
      onRetry={refetch}
      skeleton={<Skeleton kind="rows" count={mostListed} label={words.goalsLoading} />}
      add={!isFrozen && count !== undefined && count < mostListed && { icon: 'plus', label: words.goalsAdd }}
    >
      {count === 0 ? (
        <p>{isFrozen ? words.goalsFrozen : words.goalsNone}</p>
      ) : (
        data && (
          <ul className="GoalsPanel-goals">
            {data.goals.slice(0, mostListed).map(({ _id, name, picture, saved, target }) => (
              <li key={_id} className="GoalsPanel-goal">
                <GoalPicture name={picture} />
                <Progress
                  label={
                    hidden
                      ? name
                      : fill(words.goalProgress, {
                          name,
                          saved: formatDollars(saved),
                          target: formatDollars(target),
                        })
                  }
                  value={saved}
                  max={target}
                />
              </li>
            ))}
          </ul>
        )
      )}
    </ListPanel>
  );
}
