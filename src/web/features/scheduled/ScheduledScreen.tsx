/** The customer's scheduled transfers: what runs next, what happened last, and the form to add or change one. */
import { useRef, useState } from 'react';
import * as transferMessages from '#contract/messages/transfer.ts';
import type { ScheduledTransfer } from '#contract/scheduled.ts';
import { LoadFailed } from '#web/bank/LoadFailed.tsx';
import { useRefetchWhenDue } from '#web/bank/retries.ts';
import { draftOf } from '#web/bank/scheduleDraft.ts';
import { selectCustomer } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';
import { useFrozenHelp } from '#web/features/settings/limitsCalls.ts';
import { useLocation, useNavigate } from '#web/router/hooks.ts';
import { Link } from '#web/router/Link.tsx';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { LockNote } from '#web/ui/LockNote.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { ScheduleDialog } from './ScheduleDialog.tsx';
import { ScheduleRow } from './ScheduleRow.tsx';
import { useListScheduledQuery } from './scheduledCalls.ts';
import { words } from './words.ts';
import './ScheduledScreen.css';

/** Sorts ended transfers after every date. Paused ones without a date left are first. */
const lastPlace = '9999-12-31';

export function ScheduledScreen() {
  const { isFrozen = false } = useAppSelector(selectCustomer) ?? {};
  const list = useListScheduledQuery();
  const { data: schedules, isError, refetch } = list;
  useRefetchWhenDue(
    schedules?.filter(({ status }) => status === 'active'),
    refetch,
  );
  const frozenHelp = useFrozenHelp();
  const navigate = useNavigate();
  const heading = useRef<HTMLHeadingElement>(null);
  // The transfer form can pass a transfer to be scheduled.
  const draft = draftOf(useLocation().state);
  /** The schedule in the form, or `new` to add one. */
  const [edited, setEdited] = useState<ScheduledTransfer | 'new' | undefined>(draft && 'new');
  const add = !isFrozen && (
    <Button icon="plus" onClick={() => setEdited('new')}>
      {words.add}
    </Button>
  );
  const isEmpty = schedules?.length === 0;
  // Rows keep their place while the page is open: after a skip, the pointer must not be on another transfer's buttons.
  const [places] = useState(() => new Map<string, string>());
  for (const { _id, status, nextDate } of schedules ?? [])
    if (!places.has(_id)) places.set(_id, status === 'ended' ? lastPlace : (nextDate ?? ''));
  const rows = schedules?.toSorted((a, b) =>
    (places.get(a._id) ?? '').localeCompare(places.get(b._id) ?? ''),
  );
  return (
    <>
      <div className="ScheduledScreen-head">
        <div>
          <h1 ref={heading} tabIndex={-1} className="type-title">
            {words.title}
          </h1>
          <p className="ScheduledScreen-intro">
            {words.intro}{' '}
            <Link className="link" to="/dashboard/transfer">
              {transferMessages.title}
            </Link>
          </p>
          {isFrozen && (
            <LockNote className="ScheduledScreen-note" {...frozenHelp}>
              {words.frozen}
            </LockNote>
          )}
        </div>
        {!isEmpty && add}
      </div>
      <Panel label={words.title}>
        {!schedules && isError && <LoadFailed title={words.failed} onRetry={refetch} />}
        {!schedules && !isError && <Skeleton kind="rows" count={3} label={words.loading} />}
        {isEmpty && (
          <EmptyState title={words.none} action={add}>
            {!isFrozen && words.noneText}
          </EmptyState>
        )}
        <ul aria-label={words.title}>
          {rows?.map(schedule => (
            <ScheduleRow
              key={schedule._id}
              schedule={schedule}
              schedules={list}
              isFrozen={isFrozen}
              onChange={() => setEdited(schedule)}
              page={heading}
            />
          ))}
        </ul>
      </Panel>
      {edited && (
        <ScheduleDialog
          schedule={edited === 'new' ? undefined : edited}
          draft={draft}
          schedules={list}
          heading={heading}
          onClose={() => {
            setEdited(undefined);
            if (draft) void navigate('/dashboard/scheduled', { replace: true });
          }}
        />
      )}
    </>
  );
}
