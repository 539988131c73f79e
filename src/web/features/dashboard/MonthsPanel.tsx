/** Money in and out by month: the finding as the headline, the chart, and the table of its data. */
import { monthOf, nameOfMonth } from '#contract/bankTime.ts';
import type { Month } from '#contract/entities.ts';
import { fill } from '#contract/messages/fill.ts';
import { LoadFailed } from '#web/bank/LoadFailed.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { anyMovement, findingOf } from './finding.ts';
import { MonthsChart } from './MonthsChart.tsx';
import { MonthsTable } from './MonthsTable.tsx';
import { words } from './words.ts';
import './MonthsPanel.css';

export type MonthsPanelProps = {
  /** Oldest first, the current month last; undefined until they are loaded. */
  months: readonly Month[] | undefined;
  failed: boolean;
  onRetry: () => unknown;
  /** Whether the customer hides the balance. Then the months are hidden too, because they would show the amounts. */
  hidden: boolean;
};

export function MonthsPanel({ months, failed, onRetry, hidden }: MonthsPanelProps) {
  return (
    <Panel label={words.chartTitle}>
      <p className="type-small">{words.chartTitle}</p>
      {months && hidden ? (
        <p className="type-note MonthsPanel-nothing">{words.chartHidden}</p>
      ) : months ? (
        <>
          <h2 className="type-head">{findingOf(months)}</h2>
          {anyMovement(months) ? (
            <>
              <MonthsChart months={months} />
              <MonthsTable months={months} />
            </>
          ) : (
            <>
              <p className="type-note MonthsPanel-nothing">{words.nothingText}</p>
              <div className="MonthsPanel-empty">
                <MonthsChart months={months} />
              </div>
            </>
          )}
        </>
      ) : failed ? (
        <LoadFailed className="MonthsPanel-failed" title={words.chartFailed} onRetry={onRetry} />
      ) : (
        <div className="MonthsPanel-wait" role="status">
          <span className="sr-only">{words.chartLoading}</span>
          <p className="type-head" aria-hidden="true">
            {fill(words.findingKept, { amount: '0,000.00', month: nameOfMonth(monthOf(new Date()), 'long') })}
          </p>
        </div>
      )}
    </Panel>
  );
}
