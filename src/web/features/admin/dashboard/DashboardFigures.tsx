/**
 * The dashboard's four figures: on the night sheet (the dark panel), the total amount moved; below it, the other three. Shows
 * placeholders until they are loaded.
 */
import type { ReactNode } from 'react';
import type { adminApi } from '#contract/admin.ts';
import { bank } from '#contract/constants.ts';
import { formatCount } from '#contract/count.ts';
import type { Data } from '#contract/endpoint.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import * as appMessages from '#contract/messages/app.ts';
import { Money } from '#web/bank/Money.tsx';
import { Icon, type IconName } from '#web/ui/Icon.tsx';
import { NightSheet } from '#web/ui/NightSheet.tsx';
import { words } from '../words.ts';
import './DashboardFigures.css';

type Stats = Data<(typeof adminApi)['adminStats']>;

const percent = new Intl.NumberFormat(bank.locale, { maximumFractionDigits: 1 });

export type DashboardFiguresProps = {
  stats: Stats | undefined;
  pendingApprovals: number | undefined;
};

export function DashboardFigures({ stats, pendingApprovals }: DashboardFiguresProps) {
  return (
    <div className="DashboardFigures" aria-busy={stats === undefined}>
      <NightSheet as="div" className="DashboardFigures-sheet">
        <dl>
          <dt>{adminMessages.totalAmount}</dt>
          <dd>
            {stats ? <Money dollars={stats.totalAmount} form="balance" /> : <Bone wide />}
            <small>{words.completedMoney}</small>
          </dd>
        </dl>
      </NightSheet>
      <dl className="DashboardFigures-counts">
        <Figure icon="transfer" label={adminMessages.totalTransactions}>
          {stats && formatCount(stats.totalTransactions)}
        </Figure>
        <Figure icon="check" label={adminMessages.successRate}>
          {stats && `${percent.format(stats.successRate)}%`}
        </Figure>
        <Figure icon="approve" label={adminMessages.pendingApprovals}>
          {pendingApprovals !== undefined && formatCount(pendingApprovals)}
        </Figure>
      </dl>
    </div>
  );
}

function Figure({ icon, label, children }: { icon: IconName; label: string; children: ReactNode }) {
  return (
    <div className="DashboardFigures-count">
      <dt>
        <Icon name={icon} size={16} />
        {label}
      </dt>
      <dd>{children || <Bone />}</dd>
    </div>
  );
}

function Bone({ wide }: { wide?: boolean }) {
  return (
    <span className={wide ? 'DashboardFigures-bone DashboardFigures-bone--wide' : 'DashboardFigures-bone'}>
      <span className="sr-only">{appMessages.pleaseWait}</span>
    </span>
  );
}
