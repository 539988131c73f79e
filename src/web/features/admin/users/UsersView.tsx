/** All customers: search, filter, view, freeze, delete. A modal reports what was done; the list updates immediately. */
import { useState } from 'react';
import * as z from 'zod/mini';
import type { User } from '#contract/entities.ts';
import { id as customerId } from '#contract/fields.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { pagerTexts } from '#web/bank/pagerTexts.ts';
import { useSearchParams } from '#web/router/hooks.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Pager } from '#web/ui/Pager.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Table } from '#web/ui/Table.tsx';
import { TextField } from '#web/ui/TextField.tsx';
import { ListFailed } from '../panel/ListFailed.tsx';
import { SavedFilters } from '../panel/SavedFilters.tsx';
import { useMay } from '../panel/useRole.ts';
import { ViewHead, type ViewProps } from '../panel/ViewHead.tsx';
import { words } from '../words.ts';
import { DeleteUserDialog } from './DeleteUserDialog.tsx';
import { type FreezeAct, FreezeDialog } from './FreezeDialog.tsx';
import { type Notice, NoticeDialog, noticeOf } from './NoticeDialog.tsx';
import { UserDetails } from './UserDetails.tsx';
import { UserFilterBar } from './UserFilterBar.tsx';
import { userColumns } from './userColumns.tsx';
import { writeUserFilters } from './userFilters.ts';
import { useUsersPage } from './useUsersPage.ts';
import './UsersTable.css';

export function UsersView({ menu }: ViewProps) {
  const list = useUsersPage();
  const may = useMay();
  const [address] = useSearchParams();
  // The id comes from a link, for example of a transaction.
  const linked = z.safeParse(customerId, address.get('customer')).data;
  const [viewed, setViewed] = useState<User>();
  const [deleting, setDeleting] = useState<User>();
  const [freezing, setFreezing] = useState<FreezeAct>();
  const [notice, setNotice] = useState<Notice>();
  const rows = list.users ?? [];

  const columns = userColumns({
    may,
    onView: setViewed,
    onDelete: setDeleting,
    onNotice: setNotice,
    onAskFreeze: setFreezing,
  });

  return (
    <>
      <ViewHead menu={menu} title={adminMessages.users}>
        <TextField
          className="UsersTable-search screen-only"
          label={words.searchUsersLabel}
          hideLabel
          icon="search"
          type="search"
          autoComplete="off"
          placeholder={words.searchUsers}
          value={list.search}
          onChange={list.setSearch}
        />
      </ViewHead>
      <UserFilterBar
        filters={list.filters}
        search={list.search}
        onChange={filters => list.replace(1, writeUserFilters(filters))}
      />
      <SavedFilters view="users" />
      <p className="sr-only" role="status">
        {list.search &&
          !list.isSettling &&
          !list.isFetching &&
          list.total !== undefined &&
          words.usersFound(list.total)}
      </p>
      {list.error && !list.isFetching && !list.isCurrent ? (
        <ListFailed error={list.error} onRetry={list.refetch} />
      ) : (
        <Panel pad={false} label={adminMessages.users}>
          <Table
            className="UsersTable"
            caption={adminMessages.users}
            columns={columns}
            rows={rows}
            rowKey={user => user._id}
            loading={list.isFetching && !list.isCurrent}
            loadingLabel={words.loadingUsers}
            loadingRows={10}
            empty={
              <EmptyState title={words.noUsers} level={2}>
                {list.hasFilters
                  ? words.noUsersLikeFilters
                  : list.isFiltered
                    ? words.noUsersText
                    : words.noUsersYet}
              </EmptyState>
            }
          />
        </Panel>
      )}
      <Pager
        texts={pagerTexts}
        jump
        page={Math.min(list.page, list.lastPage)}
        pageCount={list.lastPage}
        onPage={list.showPage}
      />
      <UserDetails
        id={viewed?._id ?? linked}
        listed={list.isFiltered ? undefined : viewed}
        onClose={() => {
          setViewed(undefined);
          if (linked) list.replace(list.page);
        }}
      />
      <DeleteUserDialog
        user={deleting}
        onCancel={() => setDeleting(undefined)}
        onDeleted={data => {
          setDeleting(undefined);
          setNotice(noticeOf(data, adminMessages.deleted));
        }}
        onFailed={failed => {
          setDeleting(undefined);
          setNotice(failed);
        }}
      />
      <FreezeDialog
        act={freezing}
        now={rows.find(({ _id }) => _id === freezing?.user._id)}
        onDone={message => {
          setFreezing(undefined);
          setNotice({ kind: 'success', message });
        }}
        onClose={() => setFreezing(undefined)}
      />
      <NoticeDialog notice={notice} onClose={() => setNotice(undefined)} />
    </>
  );
}
