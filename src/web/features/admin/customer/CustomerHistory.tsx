/** Every act on a customer: what, by whom and why, newest first, with a button that loads older ones. Views are left out. */
import { adminApi } from '#contract/admin.ts';
import { formatCount } from '#contract/count.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { type Column, Table } from '#web/ui/Table.tsx';
import { actionText, auditWords } from '../audit/auditWords.ts';
import type { CustomerAct } from '../customerCalls.ts';
import { ListFailed } from '../panel/ListFailed.tsx';
import { Moment } from '../panel/Moment.tsx';
import { useMay } from '../panel/useRole.ts';
import { auditAddress } from '../panel/viewAddress.ts';
import { words } from '../words.ts';
import { useCustomerActs } from './useCustomerActs.ts';
import './CustomerHistory.css';

export function CustomerHistory({ id }: { id: string }) {
  const { acts, hasMore, isLoading, error, loadMore } = useCustomerActs(id);
  const may = useMay();
  return (
    <>
      <Panel pad={false} label={staffMessages.history}>
        <Table
          caption={staffMessages.history}
          columns={columns}
          rows={acts}
          rowKey={row => row._id}
          loading={isLoading}
          loadingLabel={auditWords.loading}
          empty={!error && <EmptyState title={words.noHistory}>{words.noHistoryText}</EmptyState>}
        />
      </Panel>
      {error ? <ListFailed error={error} onRetry={loadMore} /> : null}
      <div className="CustomerHistory-foot">
        <p className="type-small" role="status">
          {!isLoading && acts.length > 0 && auditWords.shown(formatCount(acts.length))}
        </p>
        {hasMore && (
          <Button
            kind="quiet"
            icon="down"
            busy={isLoading}
            busyLabel={auditWords.moreBusy}
            onClick={loadMore}
          >
            {auditWords.more}
          </Button>
        )}
        {may(adminApi.auditLog) && (
          <Button kind="quiet" icon="shield" to={`?${auditAddress(id).search}`}>
            {words.inAuditLog}
          </Button>
        )}
      </div>
    </>
  );
}

const columns: Column<CustomerAct>[] = [
  {
    key: 'when',
    head: auditWords.when,
    place: 'detail',
    cell: row => <Moment small iso={row.at} withTime />,
  },
  {
    key: 'what',
    head: auditWords.what,
    place: 'title',
    cell: row => (
      <span className="CustomerHistory-text">
        <b>{actionText(row.action)}</b>
        {row.details && row.details !== row.reason && <span className="type-small">{row.details}</span>}
      </span>
    ),
  },
  {
    key: 'who',
    head: auditWords.actor,
    cell: row => (
      <span className="CustomerHistory-text">
        {row.actorName}
        {row.actorKind !== 'system' && <span className="type-small">{auditWords.kinds[row.actorKind]}</span>}
      </span>
    ),
  },
  {
    key: 'why',
    head: words.why,
    cell: row => <span className="CustomerHistory-text">{row.reason || auditWords.dash}</span>,
  },
];
