/** Where a customer is logged in, with buttons that end sessions, and the devices the customer used. */
import { useState } from 'react';
import { adminCustomersApi } from '#contract/adminCustomers.ts';
import { dayAndTime } from '#contract/bankTime.ts';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { type Column, Table } from '#web/ui/Table.tsx';
import {
  type CustomerDevice,
  type CustomerSession,
  useCustomerSessionsQuery,
  useEndCustomerSessionsMutation,
} from '../customerCalls.ts';
import { actionsColumn } from '../panel/actionsColumn.ts';
import { failureOf } from '../panel/actRefusalText.ts';
import { DoneLine } from '../panel/DoneLine.tsx';
import { ListFailed } from '../panel/ListFailed.tsx';
import { Moment } from '../panel/Moment.tsx';
import { ReasonDialog } from '../panel/ReasonDialog.tsx';
import { RowButton } from '../panel/RowButton.tsx';
import { useMay } from '../panel/useRole.ts';
import { words } from '../words.ts';
import './CustomerSessions.css';

export function CustomerSessions({ id }: { id: string }) {
  const { currentData, error, refetch } = useCustomerSessionsQuery({ params: { id } }, pollingOptions);
  const may = useMay();
  const [end] = useEndCustomerSessionsMutation();
  const [ending, setEnding] = useState<CustomerSession | 'all'>();
  const [done, setDone] = useState('');
  if (!currentData)
    return error ? (
      <ListFailed error={error} onRetry={refetch} />
    ) : (
      <Skeleton kind="rows" count={3} label={words.loadingSessions} />
    );

  const mayEnd = may(adminCustomersApi.endCustomerSessions);
  const columns: Column<CustomerSession>[] = [
    { key: 'device', head: words.device, place: 'title', cell: row => <b>{row.device}</b> },
    { key: 'address', head: words.networkAddress, cell: row => <span className="num">{row.address}</span> },
    {
      key: 'started',
      head: words.loggedIn,
      cell: row => <Moment small iso={row.startedAt} withTime />,
    },
    lastSeen,
    ...(mayEnd
      ? [
          actionsColumn<CustomerSession>(row => (
            <RowButton name={words.endNamed(row.device)} onPress={() => setEnding(row)}>
              {words.endSession}
            </RowButton>
          )),
        ]
      : []),
  ];
  const session = typeof ending === 'object' ? ending : undefined;
  return (
    <>
      <div className="CustomerSessions-head">
        <h2 className="type-head">{words.activeSessions}</h2>
        <DoneLine text={done} />
        {mayEnd && currentData.sessions.length > 1 && (
          <Button kind="quiet" size="s" icon="logout" onClick={() => setEnding('all')}>
            {words.endAll}
          </Button>
        )}
      </div>
      <Panel pad={false} label={words.activeSessions}>
        <Table
          caption={words.activeSessions}
          columns={columns}
          rows={currentData.sessions}
          rowKey={row => row._id}
          stack="narrow"
          empty={<EmptyState title={words.noSessions}>{words.noSessionsText}</EmptyState>}
        />
      </Panel>
      <div className="CustomerSessions-head">
        <h2 className="type-head">{words.devices}</h2>
      </div>
      <Panel pad={false} label={words.devices}>
        <Table
          caption={words.devices}
          columns={deviceColumns}
          rows={currentData.devices}
          rowKey={row => `${row.device} ${row.address}`}
          stack="narrow"
          empty={<EmptyState title={words.noDevices}>{words.noDevicesText}</EmptyState>}
        />
      </Panel>
      <ReasonDialog
        open={ending !== undefined}
        title={ending === 'all' ? words.endAllTitle : words.endTitle}
        hint={words.auditHint}
        isOptional
        kind="danger"
        confirmLabel={ending === 'all' ? words.endAll : words.endSession}
        onConfirm={async reason => {
          const answer = await end({
            params: { id },
            body: { ...(session && { sessionId: session._id }), ...(reason && { reason }) },
          });
          if (!answer.data) return failureOf(answer.error);
          setEnding(undefined);
          setDone(answer.data.message);
          return undefined;
        }}
        onClose={() => setEnding(undefined)}
      >
        {session && `${session.device}, ${words.loggedInAt(dayAndTime(session.startedAt))}. `}
        {words.endText}
      </ReasonDialog>
    </>
  );
}

const lastSeen: Column<{ lastSeenAt: string }> = {
  key: 'seen',
  head: words.lastSeen,
  cell: row => <Moment small iso={row.lastSeenAt} withTime />,
};

const deviceColumns: Column<CustomerDevice>[] = [
  { key: 'device', head: words.device, place: 'title', cell: row => <b>{row.device}</b> },
  { key: 'address', head: words.networkAddress, cell: row => <span className="num">{row.address}</span> },
  {
    key: 'first',
    head: words.firstSeen,
    cell: row => <Moment small iso={row.firstSeenAt} withTime />,
  },
  lastSeen,
];
