/** One scheduled transfer: its rule as a sentence, the next dates, what happened last, and its actions. */
import { useId, useRef } from 'react';
import { calendarDay } from '#contract/bankTime.ts';
import { fill } from '#contract/messages/fill.ts';
import { formatDollars } from '#contract/money.ts';
import { describeRule, shortName } from '#contract/ruleText.ts';
import type { ScheduledTransfer } from '#contract/scheduled.ts';
import { RemoveQuestion, useRemoveQuestion } from '#web/bank/RemoveQuestion.tsx';
import { timeOfRetry } from '#web/bank/retries.ts';
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
  /** Called while the focus is still on the row, which is about to disappear. */
  onRemoved: () => void;
};

export function ScheduleRow({ schedule, isFrozen, onChange, onRemoved }: ScheduleRowProps) {
  const { _id: id, name, amount, bankName, description, status, nextDate, nextDates, retriesAt } = schedule;
  const heading = useRef<HTMLHeadingElement>(null);
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
  const { isAsking, opener, answers } = useRemoveQuestion(() => remove(call), onRemoved);
  const skipNext = async (button: HTMLButtonElement) => {
    const { data } = await skip({ ...call, ...(nextDate && { body: { date: nextDate } }) });
    // Without a next date, the button disappears.
    if (data && !data.data.nextDate && document.activeElement === button) heading.current?.focus();
  };
  return (
    <li className="ScheduleRow">
      <div className="ScheduleRow-what">
        <h2 ref={heading} tabIndex={-1} className="ScheduleRow-title">
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
            ? isFrozen
              ? words.nextFrozen
              : words.nextPaused
            : fill(words.next, {
                days: nextDates.map(day => shortName(day).replaceAll(' ', '\u00a0')).join('\u00a0· '),
              })}
        </p>
      )}
      {retriesAt && nextDate && !isFrozen && (
        <p className="ScheduleRow-detail" role="status">
          {fill(words.retries, { day: shortName(nextDate), time: timeOfRetry(retriesAt) })}
        </p>
      )}
      <LastRun schedule={schedule} />
      {schedule.missed.map(date => (
        <MissedDate
          key={date}
          schedule={schedule}
          date={date}
          isFrozen={isFrozen}
          onDecided={() => heading.current?.focus()}
        />
      ))}
      {failed && (
        <p className="ScheduleRow-error" role="alert">
          {errorMessage(failed, words.notChanged)}
        </p>
      )}
      {isAsking ? (
        <RemoveQuestion
          {...answers}
          className="ScheduleRow-question"
          text={words.askRemove}
          label={words.removeNow}
          busyLabel={words.working}
          busy={removing.isLoading}
        />
      ) : (
        <fieldset className="ScheduleRow-actions" aria-label={fill(words.actionsOf, { what: title })}>
          {nextDate && (
            <>
              <Button kind="quiet" size="s" icon="edit" disabled={isFrozen} onClick={onChange}>
                {words.change}
              </Button>
              {(status === 'active' || isFrozen) && (
                <Button
                  kind="quiet"
                  size="s"
                  busy={skipping.isLoading}
                  busyLabel={words.working}
                  onClick={event => {
                    // The second click of a double-click would skip the next date too.
                    if (event.detail < 2) void skipNext(event.currentTarget);
                  }}
                >
                  {fill(words.skip, { day: shortName(nextDate) })}
                </Button>
              )}
              {/* No Pause or Resume while the account is frozen, because the freeze pauses every transfer. */}
              {!isFrozen && (
                <Button
                  kind="quiet"
                  size="s"
                  busy={changing.isLoading}
                  busyLabel={words.working}
                  onClick={() => void change({ ...call, confirms, body: { isPaused: status === 'active' } })}
                >
                  {status === 'active' ? words.pause : words.resume}
                </Button>
              )}
            </>
          )}
          <Button kind="text" size="s" icon="trash" {...opener}>
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

type MissedDateProps = {
  schedule: ScheduledTransfer;
  date: string;
  isFrozen: boolean;
  /** Called while the focus is still on the question, which is about to disappear. */
  onDecided: () => void;
};

/** Asks the customer what to do about a date that the bank missed. */
function MissedDate({ schedule: { _id: id, amount }, date, isFrozen, onDecided }: MissedDateProps) {
  const [decide, deciding] = useDecideMissedMutation();
  const question = useId();
  const choose = async (isSent: boolean, button: HTMLButtonElement) => {
    const { error } = await decide({ params: { id }, body: { date, isSent } });
    if (!error && document.activeElement === button) onDecided();
  };
  return (
    <fieldset className="ScheduleRow-actions" aria-labelledby={question} disabled={isFrozen}>
      <p id={question}>{fill(words.missed, { amount: formatDollars(amount), day: shortName(date) })}</p>
      {deciding.error && (
        <p className="ScheduleRow-error" role="alert">
          {errorMessage(deciding.error, words.notChanged)}
        </p>
      )}
      <Button
        size="s"
        busy={deciding.isLoading}
        busyLabel={words.working}
        onClick={event => void choose(true, event.currentTarget)}
      >
        {words.sendNow}
      </Button>
      <Button kind="quiet" size="s" onClick={event => void choose(false, event.currentTarget)}>
        {words.leaveOut}
      </Button>
    </fieldset>
  );
}
