/** The chart's figures as a table. */
import { nameOfMonth } from '#contract/bankTime.ts';
import type { Month } from '#contract/entities.ts';
import * as appMessages from '#contract/messages/app.ts';
import { formatDollars } from '#contract/money.ts';
import { ChartTable } from '#web/ui/ChartTable.tsx';
import { words } from './words.ts';

export function MonthsTable({ months }: { months: readonly Month[] }) {
  const rows = months.map(({ month, in: moneyIn, out }) => ({
    key: month,
    name: nameOfMonth(month, 'full'),
    figures: [formatDollars(moneyIn), formatDollars(out)],
  }));
  return (
    <ChartTable
      summary={appMessages.showAsTable}
      caption={words.chartTitle}
      heads={[words.month, words.in, words.out]}
      rows={rows}
    />
  );
}
