/** One scheduled transfer: its rule as a sentence, the next dates, what happened last, and its actions. */
import { type Ref, type RefObject, useId, useRef } from 'react';
import { calendarDay } from '#contract/bankTime.ts';
import { fill } from '#contract/messages/fill.ts';
import { formatDollars } from '#contract/money.ts';
import { describeRule, shortName } from '#contract/ruleText.ts';
import type { ScheduledTransfer } from '#contract/scheduled.ts';
import { RemoveQuestion, useRemoveQuestion } from '#web/bank/RemoveQuestion.tsx';
import { timeOfRetry } from '#web/bank/retries.ts';
import { type ActedOn, useActs } from '#web/base/useActs.ts';
import { Link } from '#web/router/Link.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { Button, type ButtonProps } from '#web/ui/Button.tsx';
import { useGoneFocus } from '#web/ui/useGoneFocus.ts';
import {
  useChangeScheduledMutation,
  useDecideMissedMutation,
  useRemoveScheduledMutation,
  useSkipScheduledMutation,
} from './scheduledCalls.ts';
import { whenToday } from './scheduleForm.ts';
import { reasonTexts, words } from './words.ts';
import './ScheduleRow.css';

type ButtonState = Pick<ButtonProps, 'busy' | 'busyLabel' | 'disabled'>;

export type ScheduleRowProps = {
  schedule: ScheduledTransfer;
  /** The query that `schedule` is from. */
  schedules: ActedOn<ScheduledTransfer[]>;
  isFrozen: boolean;
  onChange: () => void;
  /** Gets the focus when the row disappears. */
  page: RefObject<HTMLElement | null>;
};

export function ScheduleRow({ schedule, schedules, isFrozen, onChange, page }: ScheduleRowProps) {
  const { _id: id, name, amount, bankName, description, status, isPaused, nextDate, retriesAt } = schedule;
  const heading = useRef<HTMLHeadingElement>(null);
  const [change] = useChangeScheduledMutation();
  const [skip] = useSkipScheduledMutation();
  const [remove] = useRemoveScheduledMutation();
  const [decide] = useDecideMissedMutation();
  const { busy, failed, ...acts } = useActs(schedules, words.notChanged);
  /** Acts on this transfer. `isUndone` is asked about the transfer as read afterward. */
  const act = (
    name: string,
    send: () => PromiseLike<{ error?: unknown }>,
    isUndone: (now: ScheduledTransfer) => boolean = () => true,
  ) => acts.act(name, send, all => all.some(now => now._id === id && isUndone(now)));
  /** The pressed button is busy, and not disabled: a disabled button loses the focus. The others would act on an old state. */
  const busyAt = (act: string): ButtonState => ({
    busy: busy === act,
    busyLabel: words.working,
    disabled: busy !== undefined && busy !== act,
  });
  const title = fill(words.sentence, { amount: formatDollars(amount), name });
  const call = { params: { id } };
  const { count, datesPast } = schedule;
  const rule = describeRule({ ...schedule, count: count && status !== 'ended' ? count - datesPast : count });
  const confirms = fill(words.confirms, { amount: formatDollars(amount), name, rule });
  const { isAsking, opener, answers } = useRemoveQuestion(() => act('remove', () => remove(call)), page);
  // Skip, Pause and Resume disappear without a next date: after a press, or later, when the bank has sent the last one.
  const goneFocus = useGoneFocus(heading);
  return (
    <li className="ScheduleRow">
      <div className="ScheduleRow-what">
        <h2 ref={heading} tabIndex={-1} className="ScheduleRow-title">
          {title} <span className="ScheduleRow-rule">{rule}</span>
        </h2>
        {status !== 'active' && <Badge kind="neutral">{words[status]}</Badge>}
      </div>
      {(bankName || description) && (
        <p className="ScheduleRow-detail">{[bankName, description].filter(Boolean).join(' · ')}</p>
      )}
      {status !== 'ended' && (
        <p className="ScheduleRow-next">
          {status === 'paused' ? whilePaused(schedule, isFrozen) : nextOf(schedule)}
        </p>
      )}
      {retriesAt && nextDate && !isFrozen && (
        <p className="ScheduleRow-detail" role="status">
          {fill(words.retries, { day: shortName(nextDate), time: timeOfRetry(retriesAt) })}
        </p>
      )}
      <LastRun schedule={schedule} isFrozen={isFrozen} />
      {schedule.missed.map((date, index) => (
        <MissedDate
          key={date}
          // A server of 1.0.0 pays the schedule's amount.
          amount={schedule.missedAmounts?.[index] ?? amount}
          date={date}
          isFrozen={isFrozen}
          busyAt={isSent => busyAt(`${date} ${isSent}`)}
          onDecide={isSent =>
            void act(
              `${date} ${isSent}`,
              () => decide({ ...call, body: { date, isSent } }),
              ({ missed }) => missed.includes(date),
            )
          }
          button={goneFocus}
        />
      ))}
      {failed && (
        <p className="ScheduleRow-error" role="alert">
          {failed}
        </p>
      )}
      {isAsking ? (
        <RemoveQuestion
          {...answers}
          className="ScheduleRow-question"
          text={words.askRemove}
          label={words.removeNow}
          busyLabel={words.working}
          busy={busy === 'remove'}
          disabled={busyAt('remove').disabled}
        />
      ) : (
        <fieldset className="ScheduleRow-actions" aria-label={fill(words.actionsOf, { what: title })}>
          {status !== 'ended' && (
            <Button
              kind="quiet"
              size="s"
              icon="edit"
              disabled={isFrozen || busy !== undefined}
              onClick={() => {
                acts.reset();
                onChange();
              }}
            >
              {words.change}
            </Button>
          )}
          {nextDate && (
            <>
              {/*
               * No Pause or Resume while the account is frozen, because the freeze pauses every transfer. The button comes
               * before Skip, which Resume shows and Pause hides, so that after a press the pointer is not on Skip.
               */}
              {!isFrozen && (
                <Button
                  kind="quiet"
                  size="s"
                  ref={goneFocus}
                  {...busyAt('pause')}
                  onClick={event => {
                    // The second click of a double-click would undo the first.
                    if (event.detail < 2)
                      void act(
                        'pause',
                        () => change({ ...call, confirms, body: { isPaused: status === 'active' } }),
                        now => now.isPaused === isPaused,
                      );
                  }}
                >
                  {status === 'active' ? words.pause : words.resume}
                </Button>
              )}
              {(status === 'active' || (isFrozen && !isPaused)) && (
                <Button
                  kind="quiet"
                  size="s"
                  ref={goneFocus}
                  {...busyAt('skip')}
                  onClick={event => {
                    // The second click of a double-click would skip the next date too.
                    if (event.detail < 2)
                      void act(
                        'skip',
                        () => skip({ ...call, body: { date: nextDate } }),
                        now => now.nextDate === nextDate,
                      );
                  }}
                >
                  {fill(words.skip, { day: shortName(nextDate) })}
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

const nextOf = ({ nextDates }: ScheduledTransfer) =>
  fill(words.next, {
    days: nextDates.map(day => shortName(day).replaceAll(' ', '\u00a0')).join('\u00a0· '),
  });

/** Why nothing is sent now, and what to do about it. */
function whilePaused(
  { frequency, startDate, nextDate, nextDates, isPaused }: ScheduledTransfer,
  isFrozen: boolean,
): string {
  if (nextDate && isFrozen) return isPaused ? words.nextFrozenPaused : words.nextFrozen;
  const today = calendarDay(new Date());
  const [due = ''] = nextDates;
  if (nextDate && due > today)
    return `${words.nextPaused} ${fill(words.resumeNext, { day: shortName(due) })}`;
  if (nextDate && due === today)
    return `${words.nextPaused} ${fill(words.resumeToday, { when: whenToday(words.atOnce) })}`;
  if (nextDate) return words.nextPaused;
  const passed =
    frequency === 'once' ? fill(words.passedOnce, { day: shortName(startDate) }) : words.passedRest;
  return isFrozen ? passed : `${passed} ${words.chooseNext}`;
}

type LastRunProps = { schedule: ScheduledTransfer; isFrozen: boolean };

function LastRun({ schedule, isFrozen }: LastRunProps) {
  const { lastRun, nextDate, status, missed } = schedule;
  if (!lastRun)
    return status === 'ended' && missed.length === 0 ? (
      <p className="ScheduleRow-detail">{words.neverSent}</p>
    ) : null;
  const { date, result, reason, transactionId } = lastRun;
  const day = shortName(date);
  // Whether Change can bring the skipped date back. It is disabled while the account is frozen. And if a monthly date on
  // February 28 replaces the 31st, dates that start over there would stay on the 28th.
  const isAhead =
    nextDate &&
    !isFrozen &&
    date >= calendarDay(new Date()) &&
    (isWeekly(schedule) || isOnItsDay(schedule, date));
  const text =
    result === 'failed' || reason
      ? fill(words.notSent, { day, reason: reasonTexts[reason ?? 'refused'] })
      : fill(result === 'sent' ? words.sent : isAhead ? words.skippedAhead : words.skipped, { day });
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

const isWeekly = ({ frequency }: ScheduledTransfer) => frequency === 'weekly' || frequency === 'biweekly';
/** Whether a date has the rule's day of the month, and is not the last day of a month that is too short. */
const isOnItsDay = ({ startDate }: ScheduledTransfer, date: string) => date.slice(-2) === startDate.slice(-2);

type MissedDateProps = {
  amount: number;
  date: string;
  isFrozen: boolean;
  busyAt: (isSent: boolean) => ButtonState;
  onDecide: (isSent: boolean) => void;
  /** The ref of both buttons. */
  button: Ref<HTMLButtonElement>;
};

/** Asks the customer what to do about a date that the bank missed. */
function MissedDate({ amount, date, isFrozen, busyAt, onDecide, button }: MissedDateProps) {
  const question = useId();
  return (
    <fieldset className="ScheduleRow-actions" aria-labelledby={question} disabled={isFrozen}>
      <p id={question}>{fill(words.missed, { amount: formatDollars(amount), day: shortName(date) })}</p>
      <Button size="s" ref={button} {...busyAt(true)} onClick={() => onDecide(true)}>
        {words.sendNow}
      </Button>
      <Button kind="quiet" size="s" ref={button} {...busyAt(false)} onClick={() => onDecide(false)}>
        {words.leaveOut}
      </Button>
    </fieldset>
  );
}
