/** Requests for a second approval: the waiting requests, or those in a chosen state. A request opens over the list. */
import { type Approval, requestStates } from '#contract/fourEyes.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { Money } from '#web/bank/Money.tsx';
import { fromRow } from '#web/bank/openedRow.ts';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { useNavigate, useSearchParams } from '#web/router/hooks.ts';
import { Link } from '#web/router/Link.tsx';
import { Status } from '#web/ui/Status.tsx';
import type { Column } from '#web/ui/Table.tsx';
import { actionsColumn } from '../panel/actionsColumn.ts';
import { CellLines } from '../panel/CellLines.tsx';
import { Moment } from '../panel/Moment.tsx';
import { PagedTable } from '../panel/PagedTable.tsx';
import { RowButton } from '../panel/RowButton.tsx';
import { useShownList } from '../panel/useShownList.ts';
import { ViewFilter } from '../panel/ViewFilter.tsx';
import { ViewHead, type ViewProps } from '../panel/ViewHead.tsx';
import { useRequestsQuery, waitingRequests } from '../staffCalls.ts';
import { words as panelWords } from '../words.ts';
import { RequestSheet } from './RequestSheet.tsx';
import { limitText, statusOf, summaryOf, requestWords as words } from './requestWords.ts';

const lists = [...requestStates, 'all'] as const;

export function RequestsView({ menu }: ViewProps) {
  const [address] = useSearchParams();
  const navigate = useNavigate();
  const { shown, page, show, showPage, listAddress } = useShownList('requests', 'state', lists);
  const list = useRequestsQuery(
    shown === 'pending' && page === 1
      ? waitingRequests
      : { query: { page, ...(shown !== 'all' && { status: shown }) } },
    pollingOptions,
  );
  return (
    <>
      <ViewHead menu={menu} title={staffMessages.requests}>
        <ViewFilter
          label={words.filter}
          value={shown}
          onChange={show}
          lists={lists}
          names={{ ...staffMessages.requestStates, all: words.all }}
        />
      </ViewHead>
      <PagedTable
        label={staffMessages.requests}
        list={list}
        page={page}
        onPage={showPage}
        countOf={data => data.totalRequests}
        footer={words.footer}
        columns={[
          ...columns(id => listAddress(['request', id])),
          actionsColumn<Approval>(row => {
            const label = row.status === 'pending' ? panelWords.review : panelWords.view;
            const to = listAddress(['request', row._id]);
            return (
              <RowButton
                name={`${label}: ${summaryOf(row)}`}
                onPress={() => navigate(to, { state: fromRow, preventScrollReset: true })}
              >
                {label}
              </RowButton>
            );
          }),
        ]}
        rows={list.data?.requests ?? []}
        loadingLabel={words.loading}
        none={{ title: shown === 'pending' ? words.noneWaiting : words.none, text: words.noneText }}
      />
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
    cell: ({ amount, from }) =>
      amount !== undefined ? (
        <Money dollars={amount} />
      ) : from !== undefined ? (
        limitText(from)
      ) : (
        panelWords.none
      ),
  },
  {
    key: 'reason',
    head: words.reasonOrDescription,
    cell: row => <CellLines>{row.reason ?? row.description ?? panelWords.none}</CellLines>,
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
      <CellLines>
        <span>
          <Status {...statusOf(row)} />
        </span>
        {row.status === 'pending' && (
          <span className="num">
            {words.expires} <Moment iso={row.expiresAt} />
          </span>
        )}
      </CellLines>
    ),
  },
];
