/** Three figures of the whole account, set as the lower half of the night sheet. */
import type { ReactNode } from 'react';
import { bank } from '#contract/constants.ts';
import type { Stats } from '#contract/entities.ts';
import { messages } from '#contract/messages.ts';
import { Icon, type IconName } from '#web/ui/Icon.tsx';
import { SplitMoney } from '#web/ui/SplitMoney.tsx';
import './StatsRow.css';

const { dashboard } = messages;

/** `stats` is missing while it is not known; the figures' place is kept. */
export function StatsRow({ stats }: { stats: Stats | undefined }) {
  return (
    <dl className="StatsRow" aria-busy={!stats}>
      <Stat icon="out" name={dashboard.totalSent}>
        {stats && <SplitMoney dollars={stats.totalSent} />}
      </Stat>
      <Stat icon="in" name={dashboard.totalReceived}>
        {stats && <SplitMoney dollars={stats.totalReceived} />}
      </Stat>
      <Stat icon="list" name={dashboard.totalTransactions}>
        {stats?.totalTransactions.toLocaleString(bank.locale)}
      </Stat>
    </dl>
  );
}

function Stat({ icon, name, children }: { icon: IconName; name: string; children: ReactNode }) {
  return (
    <div>
      <dt>
        <Icon name={icon} size={16} />
        {name}
      </dt>
      <dd>{children ?? <span className="StatsRow-wait" />}</dd>
    </div>
  );
}
