/** Three figures of the whole account, set as the lower half of the night sheet. */
import { bank } from '#contract/constants.ts';
import type { Stats } from '#contract/entities.ts';
import { messages } from '#contract/messages.ts';
import { FigureRow } from '#web/ui/FigureRow.tsx';
import { SplitMoney } from '#web/ui/SplitMoney.tsx';

const { dashboard } = messages;

/** `stats` is missing while it is not known; the figures' place is kept. */
export function StatsRow({ stats }: { stats: Stats | undefined }) {
  return (
    <FigureRow
      under
      figures={[
        {
          icon: 'out',
          name: dashboard.totalSent,
          value: stats && <SplitMoney dollars={stats.totalSent} />,
        },
        {
          icon: 'in',
          name: dashboard.totalReceived,
          value: stats && <SplitMoney dollars={stats.totalReceived} />,
        },
        {
          icon: 'list',
          name: dashboard.totalTransactions,
          value: stats?.totalTransactions.toLocaleString(bank.locale),
        },
      ]}
    />
  );
}
