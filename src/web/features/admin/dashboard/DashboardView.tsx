/** The panel's first view: figures, charts, and short lists of the latest transactions and the longest-waiting customers. */
import * as adminMessages from '#contract/messages/admin.ts';
import { useAdminStatsQuery, useApprovalQueueQuery } from '../adminCalls.ts';
import { ListFailed } from '../panel/ListFailed.tsx';
import { ViewHead, type ViewProps } from '../panel/ViewHead.tsx';
import { BankFigures } from './BankFigures.tsx';
import { DashboardFigures } from './DashboardFigures.tsx';
import { LatestTransactions } from './LatestTransactions.tsx';
import { LongestWaiting } from './LongestWaiting.tsx';
import './DashboardView.css';

export function DashboardView({ menu }: ViewProps) {
  const stats = useAdminStatsQuery();
  const approvals = useApprovalQueueQuery();
  return (
    <>
      <ViewHead menu={menu} title={adminMessages.dashboard} />
      {stats.error && !stats.data ? (
        <ListFailed error={stats.error} onRetry={stats.refetch} />
      ) : (
        <DashboardFigures stats={stats.data} pendingApprovals={approvals.data?.ready} />
      )}
      <div className="DashboardView-figures">
        <BankFigures />
      </div>
      <div className="DashboardView-lists">
        <LatestTransactions />
        <LongestWaiting />
      </div>
    </>
  );
}
