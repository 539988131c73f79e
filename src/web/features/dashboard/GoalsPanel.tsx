/** The first savings goals on the overview, and a link to all of them. */
import { fill } from '#contract/messages/fill.ts';
import { formatDollars } from '#contract/money.ts';
import { GoalPicture } from '#web/bank/GoalPicture.tsx';
import { LoadFailed } from '#web/bank/LoadFailed.tsx';
import { useListGoalsQuery } from '#web/features/goals/goalsCalls.ts';
import { Button } from '#web/ui/Button.tsx';
import { Progress } from '#web/ui/Progress.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { ListPanel } from './ListPanel.tsx';
import { words } from './words.ts';
import './GoalsPanel.css';

const mostListed = 2;

export function GoalsPanel({ hidden }: { hidden: boolean }) {
  const { data, isError, refetch } = useListGoalsQuery();
  const goals = data?.goals;
  return (
    <ListPanel title={words.goals} to="/dashboard/goals" hasMore={goals !== undefined && goals.length > 0}>
      {goals ? (
        <>
          {goals.length === 0 && <p>{words.goalsNone}</p>}
          <ul className="GoalsPanel-goals">
            {goals.slice(0, mostListed).map(({ _id, name, picture, saved, target }) => (
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
          {goals.length < mostListed && (
            <Button kind="quiet" size="s" icon="plus" to="/dashboard/goals">
              {words.goalsAdd}
            </Button>
          )}
        </>
      ) : isError ? (
        <LoadFailed title={words.goalsFailed} onRetry={refetch} />
      ) : (
        <Skeleton kind="rows" count={mostListed} label={words.goalsLoading} />
      )}
    </ListPanel>
  );
}
