/** A savings goal: its picture and progress, its automatic deposits, its actions and its activity. */
import { type RefObject, useRef, useState } from 'react';
import { calendarDay, nameOfDay, shortDay } from '#contract/bankTime.ts';
import type { Goal } from '#contract/goals.ts';
import { fill } from '#contract/messages/fill.ts';
import { formatCents, formatDollars } from '#contract/money.ts';
import { describeRule, shortName } from '#contract/ruleText.ts';
import { GoalPicture } from '#web/bank/GoalPicture.tsx';
import { LoadFailed } from '#web/bank/LoadFailed.tsx';
import { Money } from '#web/bank/Money.tsx';
import { RemoveQuestion, useRemoveQuestion } from '#web/bank/RemoveQuestion.tsx';
import { timeOfRetry } from '#web/bank/retries.ts';
import { type ActedOn, useActs } from '#web/base/useActs.ts';
import { Button } from '#web/ui/Button.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Progress } from '#web/ui/Progress.tsx';
import { Ranges } from '#web/ui/Ranges.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { neededEachMonth, reachedOn } from './goalPace.ts';
import { useGoalMovementsQuery, useRemoveGoalMutation } from './goalsCalls.ts';
import { causeNames, directionNames, words } from './words.ts';
import './GoalCard.css';

export type GoalCardProps = {
  goal: Goal;
  /** The query that `goal` is from. */
  goals: ActedOn<{ goals: Goal[] }>;
  hidden: boolean;
  isFrozen: boolean;
  onChange: () => void;
  /** `title` is the element with the goal's name. */
  onMove: (direction: 'in' | 'out', title: RefObject<HTMLElement | null>) => void;
  /** Gets the focus when the card disappears. */
  page: RefObject<HTMLElement | null>;
};

export function GoalCard({ goal, goals, hidden, isFrozen, onChange, onMove, page }: GoalCardProps) {
  const { _id: id, name, picture, target, saved, targetDate } = goal;
  const [showsHistory, setShowsHistory] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  const [remove] = useRemoveGoalMutation();
  const { act, busy, failed } = useActs(goals, words.notChanged);
  const amounts = { saved: formatDollars(saved), target: formatDollars(target) };
  const { isAsking, opener, answers } = useRemoveQuestion(
    () =>
      act(
        'remove',
        () => remove({ params: { id } }),
        now => now.goals.some(({ _id }) => _id === id),
      ),
    page,
  );
  return (
    <li>
      <Panel as="div" className="GoalCard">
        <div className="GoalCard-top">
          <GoalPicture name={picture} />
          <div>
            <h2 ref={title} tabIndex={-1} className="GoalCard-name">
              {name}
            </h2>
            {targetDate && <p className="type-small">{fill(words.by, { day: nameOfDay(targetDate) })}</p>}
          </div>
        </div>
        <Progress
          label={hidden ? words.progressHidden : fill(words.progress, amounts)}
          value={saved}
          max={target}
        />
        <Notes goal={goal} hidden={hidden} isFrozen={isFrozen} />
        {failed && (
          <p className="GoalCard-error" role="alert">
            {failed}
          </p>
        )}
        {isAsking ? (
          <RemoveQuestion
            {...answers}
            text={
              saved > 0
                ? fill(hidden ? words.askRemoveHidden : words.askRemove, { amount: amounts.saved })
                : words.askRemoveEmpty
            }
            label={words.removeNow}
            busyLabel={words.working}
            busy={busy !== undefined}
          />
        ) : (
          <fieldset
            className="GoalCard-actions"
            aria-label={fill(words.actionsOf, { name })}
            disabled={isFrozen}
          >
            <Button size="s" icon="plus" onClick={() => onMove('in', title)}>
              {words.moveIn}
            </Button>
            {saved > 0 && (
              <Button kind="quiet" size="s" onClick={() => onMove('out', title)}>
                {words.moveOut}
              </Button>
            )}
            <Button kind="quiet" size="s" icon="edit" onClick={onChange}>
              {words.change}
            </Button>
            <Button kind="text" size="s" icon="trash" {...opener}>
              {words.remove}
            </Button>
          </fieldset>
        )}
        <Button
          className="GoalCard-toggle"
          kind="text"
          size="s"
          icon={showsHistory ? 'up' : 'down'}
          aria-expanded={showsHistory}
          onClick={() => setShowsHistory(!showsHistory)}
        >
          {words.history}
        </Button>
        {showsHistory && <History id={id} hidden={hidden} />}
      </Panel>
    </li>
  );
}

/** Says that the target is reached, what is saved automatically, what is needed monthly, and which deposit was left out. */
function Notes({
  goal: { saved, target, targetDate, rule, lastRun, roundUp },
  hidden,
  isFrozen,
}: Pick<GoalCardProps, 'goal' | 'hidden' | 'isFrozen'>) {
  const isReached = saved >= target;
  const needed =
    targetDate && !hidden && neededEachMonth({ saved, target }, targetDate, calendarDay(new Date()));
  const ruleEnd = rule && targetDate ? reachedOn({ saved, target }, rule) : undefined;
  const ruleText =
    rule &&
    fill(hidden ? words.ruleHidden : words.rule, {
      amount: formatDollars(rule.amount),
      rule: describeRule(rule),
    });
  const notes = [
    isReached && words.reached,
    isReached && (rule || roundUp) && words.reachedRule,
    !isReached &&
      rule &&
      ruleText &&
      (isFrozen ? ruleText : fill(words.ruleAndNext, { rule: ruleText, day: shortName(rule.nextDate) })),
    !isReached &&
      !isFrozen &&
      rule?.retriesAt &&
      fill(words.retries, { day: shortName(rule.nextDate), time: timeOfRetry(rule.retriesAt) }),
    ruleEnd &&
      targetDate &&
      ruleEnd > targetDate &&
      fill(words.late, { day: nameOfDay(ruleEnd), wish: nameOfDay(targetDate) }),
    !isReached && rule && targetDate && !ruleEnd && fill(words.tooSlow, { day: nameOfDay(targetDate) }),
    !isReached && roundUp && words.roundUp,
    !rule && needed && fill(words.needed, { amount: formatCents(needed), day: nameOfDay(targetDate) }),
    !isReached && lastRun && !lastRun.isMoved && fill(words.leftOut, { day: shortName(lastRun.date) }),
  ].flatMap(note => note || []);
  if (notes.length === 0) return null;
  return (
    <ul className="GoalCard-notes">
      {notes.map(note => (
        <li key={note}>
          <Ranges>{note}</Ranges>
        </li>
      ))}
    </ul>
  );
}

const rowsPerPage = 5;

function History({ id, hidden }: { id: string; hidden: boolean }) {
  const [limit, setLimit] = useState(rowsPerPage);
  const { data, isError, isFetching, refetch } = useGoalMovementsQuery({ params: { id }, query: { limit } });
  if (!data && isError) return <LoadFailed title={words.historyFailed} onRetry={refetch} />;
  if (!data) return <Skeleton kind="text" label={words.historyLoading} />;
  if (data.movements.length === 0) return <p className="type-small">{words.historyNone}</p>;
  return (
    <>
      <ul className="GoalCard-history" aria-label={words.history}>
        {data.movements.map(({ _id, direction, amount, cause, timestamp }) => (
          <li key={_id}>
            <span>{cause === 'customer' ? directionNames[direction] : causeNames[cause]}</span>
            <span className="type-small num">{shortDay(timestamp)}</span>
            <Money dollars={amount} direction={direction} hidden={hidden} />
          </li>
        ))}
      </ul>
      {data.totalPages > 1 && limit < 100 && (
        <Button
          kind="quiet"
          size="s"
          busy={isFetching}
          busyLabel={words.historyLoading}
          onClick={() => setLimit(Math.min(limit * 4, 100))}
        >
          {words.more}
        </Button>
      )}
    </>
  );
}
