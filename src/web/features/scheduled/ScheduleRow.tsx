/** One scheduled transfer: its rule as a sentence, the next dates, what happened last, and its actions. */
import { useId, useState } from 'react';
import { calendarDay, timeOfDay } from '#contract/bankTime.ts';
import { fill } from '#contract/messages/fill.ts';
import { formatDollars } from '#contract/money.ts';
import type { ScheduledTransfer } from '#contract/scheduled.ts';
import { describeRule, shortName } from '#web/bank/ruleText.ts';
import { errorMessage } from '#web/base/callError.ts';
import { Link } from '#web/router/Link.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import {
  useChangeScheduledMutation,
  useDecideMissedMutation,
  useRemoveScheduledMutation,
  useSkipScheduledMutation,
} from './scheduledCalls.ts';
import { reasonTexts, words } from './words.ts';
import './ScheduleRow.css';

export type ScheduleRowProps = {
  schedule: ScheduledTransfer;
  isFrozen: boolean;
  onChange: () => void;
  /** Called with the focus still on the row, which is about to go. */
  onRemoved: () => void;
};

export function ScheduleRow({ schedule, isFrozen, onChange, onRemoved }: ScheduleRowProps) {
  const { _id: id, name, amount, bankName, description, status, nextDate, nextDates, retriesAt } = schedule;
  /** Undefined until first asked. `false` after 'Keep': then the Delete button gets the focus back. */
  const [isAsking, setIsAsking] = useState<boolean>();
  const question = useId();
  const [change, changing] = useChangeScheduledMutation();
  const [skip, skipping] = useSkipScheduledMutation();
  const [remove, removing] = useRemoveScheduledMutation();
  const failed = changing.error ?? skipping.error ?? removing.error;
  const title = fill(words.sentence, { amount: formatDollars(amount), name });
  const call = { params: { id } };
  const confirms = fill(words.confirms, {
    amount: formatDollars(amount),
    name,
    rule: describeRule(schedule),
  });
  const removeNow = async (button: HTMLButtonElement) => {
    const { error } = await remove(call);
    if (!error && document.activeElement === button) onRemoved();
  };
  return (
    <li className="ScheduleRow">
      <div className="ScheduleRow-what">
        <h2 className="ScheduleRow-title">
          {title} <span className="ScheduleRow-rule">{describeRule(schedule)}</span>
        </h2>
        {status !== 'active' && <Badge kind="neutral">{words[status]}</Badge>}
      </div>
      {(bankName || description) && (
        <p className="ScheduleRow-detail">{[bankName, description].filter(Boolean).join(' · ')}</p>
      )}
      {nextDates.length > 0 && (
        <p className="ScheduleRow-next">
          {status === 'paused'
            ? words.nextPaused
            : fill(words.next, {
                days: nextDates.map(day => shortName(day).replaceAll(' ', '\u00a0')).join('\u00a0· '),
              })}
        </p>
      )}
      {retriesAt && nextDate && (
        <p className="ScheduleRow-detail" role="status">
          {fill(words.retries, { day: shortName(nextDate), time: timeOfDay(retriesAt) })}
        </p>
      )}
      <LastRun schedule={schedule} />
      {schedule.missed.map(date => (
        <MissedDate key={date} schedule={schedule} date={date} isFrozen={isFrozen} />
      ))}
      {failed && (
        <p className="ScheduleRow-error" role="alert">
          {errorMessage(failed, words.notChanged)}
        </p>
      )}
      {isAsking ? (
        <fieldset key="question" className="ScheduleRow-actions" aria-labelledby={question}>
          <p id={question}>{words.askRemove}</p>
          <Button
            kind="danger"
            size="s"
            busy={removing.isLoading}
            busyLabel={words.working}
            onClick={event => void removeNow(event.currentTarget)}
          >
            {words.removeNow}
          </Button>
          <Button kind="quiet" size="s" autoFocus onClick={() => setIsAsking(false)}>
            {words.keep}
          </Button>
        </fieldset>
      ) : (
        <fieldset
          key="actions"
          className="ScheduleRow-actions"
          aria-label={fill(words.actionsOf, { what: title })}
        >
          {nextDate && (
            <>
              <Button kind="quiet" size="s" icon="edit" disabled={isFrozen} onClick={onChange}>
                {words.change}
              </Button>
              {status === 'active' && (
                <Button
                  kind="quiet"
                  size="s"
                  busy={skipping.isLoading}
                  busyLabel={words.working}
                  onClick={event => {
                    // The second click of a double-click would skip the next date too.
                    if (event.detail < 2) void skip(call);
                  }}
                >
                  {fill(words.skip, { day: shortName(nextDate) })}
                </Button>
              )}
              <Button
                kind="quiet"
                size="s"
                busy={changing.isLoading}
                busyLabel={words.working}
                disabled={isFrozen}
                onClick={() => void change({ ...call, confirms, body: { isPaused: status === 'active' } })}
              >
                {status === 'active' ? words.pause : words.resume}
              </Button>
            </>
          )}
          <Button
            kind="text"
            size="s"
            icon="trash"
            autoFocus={isAsking === false}
            onClick={() => setIsAsking(true)}
          >
            {words.remove}
          </Button>
        </fieldset>
      )}
    </li>
  );
}

function LastRun({ schedule: { lastRun, nextDate } }: { schedule: ScheduledTransfer }) {
  if (!lastRun) return null;
  const { date, result, reason, transactionId } = lastRun;
  const day = shortName(date);
  const text = {
    sent: () => fill(words.sent, { day }),
    skipped: () => {
      const isAhead = nextDate && date >= calendarDay(new Date());
      return fill(reason === 'frozen' ? words.skippedFrozen : isAhead ? words.skippedAhead : words.skipped, {
        day,
      });
    },
    failed: () => fill(words.notSent, { day, reason: reasonTexts[reason ?? 'refused'] }),
  }[result]();
  return (
    <p className="ScheduleRow-detail">
      {text}{' '}
      {transactionId && (
        <Link className="link" to={`/dashboard/transactions/${transactionId}`}>
          {words.seeTransaction}
        </Link>
      )}
    </p>
  );
}

/** Asks the customer what to do about a date that the bank missed. */
function MissedDate({
  schedule: { _id: id, amount },
  date,
  isFrozen,
}: {
  schedule: ScheduledTransfer;
  date: string;
  isFrozen: boolean;
}) {
  const [decide, deciding] = useDecideMissedMutation();
  const question = useId();
  const choose = (isSent: boolean) => void decide({ params: { id }, body: { date, isSent } });
  return (
    <fieldset className="ScheduleRow-actions" aria-labelledby={question} disabled={isFrozen}>
      <p id={question}>{fill(words.missed, { amount: formatDollars(amount), day: shortName(date) })}</p>
      {deciding.error && (
        <p className="ScheduleRow-error" role="alert">
          {errorMessage(deciding.error, words.notChanged)}
        </p>
      )}
      <Button size="s" busy={deciding.isLoading} busyLabel={words.working} onClick={() => choose(true)}>
        {words.sendNow}
      </Button>
      <Button kind="quiet" size="s" onClick={() => choose(false)}>
        {words.leaveOut}
      </Button>
    </fieldset>
  );
}
