/** Every act on a customer: what, by whom and why, newest first, with a button that loads older acts. Views are not listed. */

import { useCallback } from 'react';
import { adminApi } from '#contract/admin.ts';
import type { CustomerRecord } from '#contract/adminCustomers.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { type Column, Table } from '#web/ui/Table.tsx';
import { actionText, auditWords } from '../audit/auditWords.ts';
import { OlderRecordsFoot } from '../audit/OlderRecordsFoot.tsx';
import { useOlderRecords } from '../audit/useOlderRecords.ts';
import { type CustomerAct, useLazyCustomerHistoryQuery } from '../customerCalls.ts';
import { CellLines } from '../panel/CellLines.tsx';
import { ListFailed } from '../panel/ListFailed.tsx';
import { Moment } from '../panel/Moment.tsx';
import { useMay } from '../panel/useRole.ts';
import { auditAddress } from '../panel/viewAddress.ts';
import { words } from '../words.ts';

export function CustomerHistory({ customer }: { customer: CustomerRecord }) {
  const { _id: id } = customer;
  const [ask] = useLazyCustomerHistoryQuery();
  const list = useOlderRecords(
    useCallback(
      async (before?: string) => ask({ params: { id }, ...(before && { query: { before } }) }),
      [ask, id],
    ),
    recordOfActs(customer),
  );
  const { records, isLoading, error, refresh } = list;
  const may = useMay();
  return (
    <>
      {error && records.length === 0 ? (
        <ListFailed error={error} onRetry={refresh} />
      ) : (
        <Panel pad={false} label={staffMessages.history}>
          <Table
            caption={staffMessages.history}
            columns={columns}
            rows={records}
            rowKey={row => row._id}
            loading={isLoading}
            loadingLabel={auditWords.loading}
            empty={<EmptyState title={words.noHistory}>{words.noHistoryText}</EmptyState>}
          />
        </Panel>
      )}
      <OlderRecordsFoot list={list}>
        {may(adminApi.auditLog) && (
          <Button kind="quiet" icon="shield" to={`?${auditAddress(id).search}`}>
            {words.inAuditLog}
          </Button>
        )}
      </OlderRecordsFoot>
    </>
  );
}

/** The fields that payments and logins change. A change of these fields does not reload the list. */
const notByActs: readonly string[] = ['balance', 'inGoals', 'lastLoginAt'] satisfies (keyof CustomerRecord)[];

/** The fields of the customer's record that acts change. */
const recordOfActs = (customer: CustomerRecord): string =>
  JSON.stringify(Object.entries(customer).filter(([name]) => !notByActs.includes(name)));

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
      <CellLines>
        <b>{actionText(row.action)}</b>
        {row.details && <span className="type-small">{row.details}</span>}
      </CellLines>
    ),
  },
  {
    key: 'who',
    head: auditWords.actor,
    cell: row => (
      <CellLines>
        {row.actorName}
        {row.actorKind !== 'system' && (
          <span className="type-small">{adminMessages.actorKinds[row.actorKind]}</span>
        )}
      </CellLines>
    ),
  },
  {
    key: 'reason',
    head: words.reason,
    cell: row => <CellLines>{row.reason || auditWords.dash}</CellLines>,
  },
];
