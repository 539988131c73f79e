/** Requests for a second approval: by default those that wait, others by state. One of them opens over the list. */

import { type Approval, requestStates } from '#contract/fourEyes.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { Money } from '#web/bank/Money.tsx';
import { fromRow } from '#web/bank/openedRow.ts';
import { useSearchParams } from '#web/router/hooks.ts';
import { Link } from '#web/router/Link.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Status } from '#web/ui/Status.tsx';
import { type Column, Table } from '#web/ui/Table.tsx';
import { pollingOptions } from '../adminCalls.ts';
import { CellLines } from '../panel/CellLines.tsx';
import { Moment } from '../panel/Moment.tsx';
import { PagedPanel } from '../panel/PagedPanel.tsx';
import { ViewFilter } from '../panel/ViewFilter.tsx';
import { ViewHead, type ViewProps } from '../panel/ViewHead.tsx';
import { pageFromAddress, viewAddress } from '../panel/viewAddress.ts';
import { useRequestsQuery } from '../staffCalls.ts';
import { words as panelWords } from '../words.ts';
import { RequestSheet } from './RequestSheet.tsx';
import { statusOf, summaryOf, requestWords as words } from './requestWords.ts';
import { waitingRequests } from './waitingRequests.ts';
import './RequestsView.css';

export function RequestsView({ menu }: ViewProps) {
  const [address, setAddress] = useSearchParams();
  const page = pageFromAddress(address);
  const wanted = address.get('state') ?? 'pending';
  const status = requestStates.find(name => name === wanted);
  const list = useRequestsQuery(
    status === 'pending' && page === 1 ? waitingRequests : { query: { page, ...(status && { status }) } },
    pollingOptions,
  );
  const { data, currentData, isFetching } = list;
  const stateParts: [string, string][] = wanted === 'pending' ? [] : [['state', wanted]];
  const listAddress = (parts: [string, string][] = []) =>
    viewAddress('requests', page, [...stateParts, ...parts]);

  return (
    <>
      <ViewHead menu={menu} title={staffMessages.requests}>
        <ViewFilter
          label={words.filter}
          value={status ?? 'all'}
          onChange={value =>
            setAddress(viewAddress('requests', 1, value === 'pending' ? [] : [['state', value]]).search, {
              replace: true,
            })
          }
          options={[
            ...requestStates.map(value => ({ value, label: staffMessages.requestStates[value] })),
            { value: 'all', label: words.all },
          ]}
        />
      </ViewHead>
      <PagedPanel
        label={staffMessages.requests}
        list={list}
        page={page}
        onPage={next => setAddress(viewAddress('requests', next, stateParts).search)}
        countOf={data => data.totalRequests}
        footer={words.footer}
      >
        <Table
          caption={staffMessages.requests}
          columns={columns(id => listAddress([['request', id]]))}
          rows={data?.requests ?? []}
          rowKey={row => row._id}
          loading={isFetching && !currentData}
          loadingLabel={words.loading}
          empty={
            <EmptyState title={status === 'pending' ? words.noneWaiting : words.none} level={2}>
              {words.noneText}
            </EmptyState>
          }
        />
      </PagedPanel>
      <RequestSheet id={address.get('request') ?? undefined} listAddress={listAddress()} />
    </>
  );
}

const columns = (addressOf: (id: string) => { search: string }): Column<Approval>[] => [
  {
    key: 'what',
    head: words.what,
    place: 'title',
    cell: row => (
      <CellLines>
        <b>
          <Link className="link" to={addressOf(row._id)} state={fromRow} preventScrollReset>
            {summaryOf(row)}
          </Link>
        </b>
      </CellLines>
    ),
  },
  {
    key: 'amount',
    head: panelWords.amount,
    align: 'end',
    place: 'figure',
    cell: row => (row.amount === undefined ? panelWords.none : <Money dollars={row.amount} />),
  },
  {
    key: 'reason',
    head: words.reason,
    cell: row => <CellLines>{row.reason ?? row.description ?? words.noReason}</CellLines>,
  },
  { key: 'by', head: words.askedBy, cell: row => row.askedBy.name },
  {
    key: 'at',
    head: words.askedAt,
    cell: row => <Moment small iso={row.askedAt} withTime />,
  },
  {
    key: 'status',
    head: panelWords.status,
    cell: row => (
      <span>
        <Status {...statusOf(row)} />
        {row.status === 'pending' && (
          <span className="RequestsView-expires">
            {words.expires} <Moment iso={row.expiresAt} />
          </span>
        )}
      </span>
    ),
  },
];
