/** The administrators and what they may do. An owner invites, changes roles, and ends access; an auditor only reads. */
import { useState } from 'react';
import * as staffMessages from '#contract/messages/staff.ts';
import { type StaffMember, staffApi } from '#contract/staff.ts';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { selectAdmin } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Status, type StatusProps } from '#web/ui/Status.tsx';
import { type Column, Table } from '#web/ui/Table.tsx';
import { actionsColumn } from '../panel/actionsColumn.ts';
import { EmailText } from '../panel/EmailText.tsx';
import { ListFailed } from '../panel/ListFailed.tsx';
import { Moment } from '../panel/Moment.tsx';
import { RowButton } from '../panel/RowButton.tsx';
import { useMay } from '../panel/useRole.ts';
import { ViewHead, type ViewProps } from '../panel/ViewHead.tsx';
import { useListStaffQuery } from '../staffCalls.ts';
import { type Notice, NoticeDialog } from '../users/NoticeDialog.tsx';
import { words as panelWords } from '../words.ts';
import { InviteDialog } from './InviteDialog.tsx';
import { LimitPanel } from './LimitPanel.tsx';
import { MemberSheet } from './MemberSheet.tsx';
import { staffWords as words } from './staffWords.ts';
import './StaffView.css';

const statuses: Record<StaffMember['state'], StatusProps['status']> = {
  active: 'completed',
  invited: 'pending',
  disabled: 'refused',
};

export function StaffView({ menu }: ViewProps) {
  const own = useAppSelector(selectAdmin)?._id;
  const mayManage = useMay()(staffApi.inviteMember);
  const { data, error, isFetching, refetch } = useListStaffQuery(undefined, pollingOptions);
  const [inviting, setInviting] = useState(false);
  const [managed, setManaged] = useState<string>();
  const [notice, setNotice] = useState<Notice>();
  const member = data?.find(({ _id }) => _id === managed);

  const columns: Column<StaffMember>[] = [
    {
      key: 'name',
      head: panelWords.name,
      place: 'title',
      cell: row => (
        <span className="StaffView-name">
          <b>{row.name}</b>
          {row._id === own && <span className="type-small"> ({words.you})</span>}
        </span>
      ),
    },
    {
      key: 'email',
      head: panelWords.email,
      place: 'detail',
      cell: row => <EmailText roomy value={row.email} />,
    },
    { key: 'role', head: words.role, cell: row => staffMessages.roleNames[row.role] },
    {
      key: 'state',
      head: words.state,
      cell: row => <Status status={statuses[row.state]}>{words.states[row.state]}</Status>,
    },
    {
      key: 'seen',
      head: words.lastSeen,
      cell: row => (
        <span className="type-small">
          {row.lastSeenAt ? <Moment iso={row.lastSeenAt} withTime /> : words.never}
        </span>
      ),
    },
    { key: 'sessions', head: words.sessions, align: 'end', cell: row => String(row.sessions) },
    actionsColumn(
      row =>
        mayManage &&
        row._id !== own && (
          <RowButton name={words.manageName(row.name)} onPress={() => setManaged(row._id)}>
            {words.manage}
          </RowButton>
        ),
    ),
  ];

  return (
    <>
      <ViewHead menu={menu} title={staffMessages.staff}>
        {mayManage && (
          <Button icon="plus" onClick={() => setInviting(true)}>
            {words.invite}
          </Button>
        )}
      </ViewHead>
      {error && !data ? (
        <ListFailed error={error} onRetry={refetch} />
      ) : (
        <Panel pad={false} label={staffMessages.staff}>
          <Table
            caption={staffMessages.staff}
            columns={columns}
            rows={data ?? []}
            rowKey={row => row._id}
            loading={isFetching && !data}
            loadingLabel={words.loading}
            empty={<EmptyState title={words.none} level={2} />}
          />
        </Panel>
      )}
      <LimitPanel onNotice={setNotice} />
      <InviteDialog
        open={inviting}
        staff={data ?? []}
        onClose={() => setInviting(false)}
        onDone={done => {
          setInviting(false);
          setNotice(done);
        }}
      />
      <MemberSheet member={member} onClose={() => setManaged(undefined)} />
      <NoticeDialog notice={notice} onClose={() => setNotice(undefined)} />
    </>
  );
}
