/**
 * The month in one sentence: money in and out, what is scheduled, what is left. The statement's figures follow if they differ:
 * it also counts returned payments, and moves to and from savings goals.
 */
import { nameOfMonth } from '#contract/bankTime.ts';
import { fill } from '#contract/messages/fill.ts';
import { formatDollars } from '#contract/money.ts';
import { shortName } from '#contract/ruleText.ts';
import type { Outlook } from '#contract/transactions.ts';
import { LoadFailed } from '#web/bank/LoadFailed.tsx';
import { selectCustomer } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';
import { useOutlookQuery } from '#web/features/transactions/transactionsCalls.ts';
import { classNames } from '#web/ui/classNames.ts';
import { Panel } from '#web/ui/Panel.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { words } from './words.ts';
import './OutlookPanel.css';

export function OutlookPanel({ hidden }: { hidden: boolean }) {
  const { data, isError, refetch } = useOutlookQuery();
  const isFrozen = useAppSelector(selectCustomer)?.isFrozen ?? false;
  const sentence = data && (hidden ? words.outlookHidden : sentenceOf(data, isFrozen));
  const isShort = hidden || isFrozen || sentence === words.outlookNothing;
  return (
    <Panel
      className={classNames('OutlookPanel', data && isShort && 'OutlookPanel--short')}
      label={words.outlook}
    >
      {data ? (
        <>
          <p className="OutlookPanel-sentence">{sentence}</p>
          {!hidden && (data.statementIn !== data.moneyIn || data.statementOut !== data.moneyOut) && (
            <p className="type-small">
              {fill(words.outlookStatement, {
                in: formatDollars(data.statementIn),
                out: formatDollars(data.statementOut),
              })}
            </p>
          )}
        </>
      ) : isError ? (
        <LoadFailed title={words.outlookFailed} onRetry={refetch} />
      ) : (
        <Skeleton kind="text" count={2} label={words.outlookLoading} />
      )}
    </Panel>
  );
}

function sentenceOf(outlook: Outlook, isFrozen: boolean): string {
  const { month, moneyIn, moneyOut, statementOut, scheduled, savings, until, isIncome, left, inGoals } =
    outlook;
  if (moneyIn === 0 && moneyOut === 0 && scheduled === 0 && left === 0) return words.outlookNothing;
  const onlySavings = savings === scheduled ? words.outlookSavings : words.outlookBoth;
  const what = savings === 0 ? words.outlookTransfers : onlySavings;
  const templateOfLeft =
    left < 0 ? words.outlookShort : scheduled > 0 ? words.outlookScheduled : words.outlookFree;
  const template = isFrozen ? words.outlookFrozen : templateOfLeft;
  return fill(template, {
    month: nameOfMonth(month, 'long'),
    in: formatDollars(moneyIn),
    out: formatDollars(moneyOut),
    what,
    scheduled: formatDollars(scheduled),
    until: fill(isIncome ? words.untilIncome : words.untilMonthEnd, { day: shortName(until) }),
    left: formatDollars(Math.abs(left)),
    // If money was put into goals this month, the other figures would not add up without it.
    goals:
      inGoals > 0 && statementOut !== moneyOut
        ? fill(words.outlookGoals, { amount: formatDollars(inGoals) })
        : '',
  });
}
