/** Three totals of the account, shown as the lower half of the night sheet. */
import { formatCount } from '#contract/count.ts';
import type { Stats } from '#contract/entities.ts';
import * as dashboardMessages from '#contract/messages/dashboard.ts';
import { SplitMoney } from '#web/bank/SplitMoney.tsx';
import { FigureRow } from '#web/ui/FigureRow.tsx';
import { words } from './words.ts';

export type StatsRowProps = {
  /** Undefined until they are loaded; the figures keep their space. */
  stats: Stats | undefined;
  failed: boolean;
  /** Whether the customer hides the balance: then the amounts are hidden too. The number of transactions stays visible. */
  hidden: boolean;
};

export function StatsRow({ stats, failed, hidden }: StatsRowProps) {
  const amount = (dollars: number) => (
    <SplitMoney dollars={dollars} hidden={hidden} hiddenLabel={words.amountHidden} />
  );
  // No retry button here: `RecentPanel` has one, and its call also loads these totals.
  const missing = failed ? (
    <>
      <span aria-hidden="true">—</span>
      <span className="sr-only">{words.notLoaded}</span>
    </>
  ) : undefined;
  return (
    <FigureRow
      under
      figures={[
        {
          icon: 'out',
          name: dashboardMessages.totalSent,
          value: stats ? amount(stats.totalSent) : missing,
        },
        {
          icon: 'in',
          name: dashboardMessages.totalReceived,
          value: stats ? amount(stats.totalReceived) : missing,
        },
        {
          icon: 'list',
          name: dashboardMessages.totalTransactions,
          value: stats ? formatCount(stats.totalTransactions) : missing,
        },
      ]}
    />
  );
}
