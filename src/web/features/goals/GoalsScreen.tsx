/** The customer's savings goals: a card for each, and the form to add or change one. */
import { useRef, useState } from 'react';
import { goals as limits } from '#contract/constants.ts';
import type { Goal } from '#contract/goals.ts';
import { fill } from '#contract/messages/fill.ts';
import * as goalsMessages from '#contract/messages/goals.ts';
import { formatDollars } from '#contract/money.ts';
import { LoadFailed } from '#web/bank/LoadFailed.tsx';
import { useRefetchWhenDue } from '#web/bank/retries.ts';
import { useAmountsHidden } from '#web/base/hiddenAmounts.ts';
import { selectCustomer } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';
import { useFrozenHelp } from '#web/features/settings/limitsCalls.ts';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { LockNote } from '#web/ui/LockNote.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { GoalCard } from './GoalCard.tsx';
import { GoalDialog } from './GoalDialog.tsx';
import { useListGoalsQuery } from './goalsCalls.ts';
import { MoveDialog, type MoveDialogProps } from './MoveDialog.tsx';
import { words } from './words.ts';
import './GoalsScreen.css';

export function GoalsScreen() {
  const { isFrozen = false } = useAppSelector(selectCustomer) ?? {};
  const list = useListGoalsQuery();
  const { data, isError, refetch } = list;
  useRefetchWhenDue(isFrozen ? [] : data?.goals.map(({ rule }) => rule ?? {}), refetch);
  const frozenHelp = useFrozenHelp();
  const hidden = useAmountsHidden();
  /** The goal in the form, or `new` to add one. */
  const [edited, setEdited] = useState<Goal | 'new'>();
  // Kept here and not in the card, so that the form stays when another tab deletes the goal.
  const [moved, setMoved] = useState<Omit<MoveDialogProps, 'onClose'>>();
  const heading = useRef<HTMLHeadingElement>(null);
  const current = data?.goals.find(({ _id }) => _id === moved?.goal._id);
  const isFull = (data?.goals.length ?? 0) >= limits.max;
  const add = !isFrozen && !isFull && (
    <Button icon="plus" onClick={() => setEdited('new')}>
      {words.add}
    </Button>
  );
  const isEmpty = data?.goals.length === 0;
  return (
    <>
      <div className="GoalsScreen-head">
        <div>
          <h1 ref={heading} tabIndex={-1} className="type-title">
            {words.title}
          </h1>
          <p className="GoalsScreen-intro">
            {!isFrozen && words.intro}{' '}
            {data && !isEmpty && (
              <b>{hidden ? words.savedHidden : fill(words.saved, { amount: formatDollars(data.saved) })}</b>
            )}
          </p>
          {isFrozen ? (
            <LockNote className="GoalsScreen-note" {...frozenHelp}>
              {words.frozen}
            </LockNote>
          ) : (
            isFull && (
              <p className="GoalsScreen-note type-small">
                {fill(goalsMessages.tooMany, { max: limits.max })}
              </p>
            )
          )}
        </div>
        {data && !isEmpty && add}
      </div>
      {!data && (
        <Panel label={words.title}>
          {isError ? (
            <LoadFailed title={words.failed} onRetry={refetch} />
          ) : (
            <Skeleton kind="rows" count={3} label={words.loading} />
          )}
        </Panel>
      )}
      {isEmpty && (
        <Panel label={words.title}>
          <EmptyState level={2} title={words.none} action={add}>
            {!isFrozen && words.noneText}
          </EmptyState>
        </Panel>
      )}
      <ul className="GoalsScreen-cards" aria-label={words.title}>
        {data?.goals.map(goal => (
          <GoalCard
            key={goal._id}
            goal={goal}
            goals={list}
            hidden={hidden}
            isFrozen={isFrozen}
            onChange={() => setEdited(goal)}
            onMove={(direction, title) => setMoved({ goal, direction, heading: title })}
            page={heading}
          />
        ))}
      </ul>
      {moved && (
        <MoveDialog
          {...moved}
          goal={current ?? moved.goal}
          heading={current ? moved.heading : heading}
          onClose={() => setMoved(undefined)}
        />
      )}
      {edited && (
        <GoalDialog
          goal={edited === 'new' ? undefined : edited}
          goals={list}
          heading={heading}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
}
