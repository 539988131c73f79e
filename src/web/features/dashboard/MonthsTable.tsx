/** The chart's figures as a real table, for whoever reads better than looks. */
import type { Month } from '#contract/entities.ts';
import { formatDollars } from '#contract/money.ts';
import { nameOfMonth } from '#web/ui/bankTime.ts';
import { words } from './words.ts';

export function MonthsTable({ months }: { months: readonly Month[] }) {
  return (
    <details className="MonthsPanel-table">
      <summary>{words.showTable}</summary>
      <table>
        <caption className="sr-only">{words.chartTitle}</caption>
        <thead>
          <tr>
            <th scope="col">{words.month}</th>
            <th scope="col">{words.in}</th>
            <th scope="col">{words.out}</th>
          </tr>
        </thead>
        <tbody>
          {months.map(({ month, in: moneyIn, out }) => (
            <tr key={month}>
              <th scope="row">{nameOfMonth(month, 'full')}</th>
              <td className="num">{formatDollars(moneyIn)}</td>
              <td className="num">{formatDollars(out)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
