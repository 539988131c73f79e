/** One sentence on the overview: what came in and went out this month, what is scheduled, and what is left to spend. */
import { nameOfMonth } from '#contract/bankTime.ts';
import { fill } from '#contract/messages/fill.ts';
import { formatDollars } from '#contract/money.ts';
import type { Outlook } from '#contract/transactions.ts';
import { LoadFailed } from '#web/bank/LoadFailed.tsx';
import { shortName } from '#web/bank/ruleText.ts';
import { useOutlookQuery } from '#web/features/transactions/transactionsCalls.ts';
import { Panel } from '#web/ui/Panel.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { words } from './words.ts';
import './OutlookPanel.css';

export function OutlookPanel({ hidden }: { hidden: boolean }) {
  const { data, isError, refetch } = useOutlookQuery();
  return (
    <Panel className="OutlookPanel" label={words.outlook}>
      {data ? (
        <>
          <p className="OutlookPanel-sentence">{hidden ? words.outlookHidden : sentenceOf(data)}</p>
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

function sentenceOf({ month, moneyIn, moneyOut, scheduled, until, isIncome, left }: Outlook): string {
  const template = left < 0 ? words.outlookShort : scheduled > 0 ? words.outlookScheduled : words.outlookFree;
  return fill(template, {
    month: nameOfMonth(month, 'long'),
    in: formatDollars(moneyIn),
    out: formatDollars(moneyOut),
    scheduled: formatDollars(scheduled),
    until: fill(isIncome ? words.untilIncome : words.untilMonthEnd, { day: shortName(until) }),
    left: formatDollars(Math.abs(left)),
  });
}
