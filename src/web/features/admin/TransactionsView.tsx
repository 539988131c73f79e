/** Every transaction of the bank, newest first, a page at a time. The page is in the address; the first sends nothing. */
import { useSearchParams } from 'react-router';
import type { Transaction } from '#contract/entities.ts';
import { fill, messages } from '#contract/messages.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Money } from '#web/ui/Money.tsx';
import { Pager } from '#web/ui/Pager.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Status } from '#web/ui/Status.tsx';
import { type Column, Table } from '#web/ui/Table.tsx';
import { useAdminTransactionsQuery } from './adminCalls.ts';
import { ListFailed } from './ListFailed.tsx';
import { Moment } from './Moment.tsx';
import { OtherBank } from './OtherBank.tsx';
import { PartyName } from './PartyName.tsx';
import { payeeOf, payerOf, statusTexts, typeTexts } from './transactionSides.ts';
import { ViewHead, type ViewProps } from './ViewHead.tsx';
import { pageNamed, viewAddress } from './viewAddress.ts';
import { words } from './words.ts';

const columns: Column<Transaction>[] = [
  {
    key: 'reference',
    head: words.reference,
    place: 'title',
    cell: row => (
      <span className="text-sm font-medium tabular-nums @min-[1000px]:whitespace-nowrap">
        {row.reference}
      </span>
    ),
  },
  { key: 'type', head: words.type, cell: row => <span className="text-sm">{typeTexts[row.type]}</span> },
  { key: 'from', head: words.from, cell: row => <PartyName name={payerOf(row)} /> },
  { key: 'to', head: words.to, cell: row => <PartyName name={payeeOf(row)} /> },
  {
    key: 'amount',
    head: words.amount,
    align: 'end',
    place: 'figure',
    cell: row => <Money dollars={row.amount} returned={row.status === 'failed'} />,
  },
  {
    key: 'status',
    head: words.status,
    cell: row => <Status status={row.status}>{statusTexts[row.status]}</Status>,
  },
  {
    key: 'date',
    head: words.date,
    cell: row => (
      <span className="text-sm text-ink-2">
        <Moment iso={row.timestamp} withTime />
      </span>
    ),
  },
  { key: 'bank', head: words.bankDetails, cell: row => <OtherBank transaction={row} /> },
];

export function TransactionsView({ menu }: ViewProps) {
  const [address, setAddress] = useSearchParams();
  const page = pageNamed(address);
  const { data, isFetching, error, refetch } = useAdminTransactionsQuery(
    page > 1 ? { query: { page } } : undefined,
  );
  const rows = data?.transactions ?? [];
  const pages = Math.max(1, data?.totalPages ?? 1);

  return (
    <>
      <ViewHead menu={menu} title={messages.admin.transactions} />
      {error && !isFetching ? (
        <ListFailed error={error} onRetry={refetch} />
      ) : (
        <Panel pad={false} label={messages.admin.transactions}>
          <Table
            caption={messages.admin.transactions}
            columns={columns}
            rows={rows}
            rowKey={row => row._id}
            loading={isFetching}
            loadingLabel={messages.admin.loadingTransactions}
            loadingRows={10}
            empty={
              <EmptyState title={messages.admin.noTransactions} level={2}>
                {words.noTransactionsText}
              </EmptyState>
            }
          />
        </Panel>
      )}
      {data && (
        <Pager
          page={page}
          pageCount={pages}
          busy={isFetching}
          onPage={next => setAddress(viewAddress('transactions', next).search, { preventScrollReset: true })}
          text={fill(messages.admin.transactionsFooter, { page, pages, n: data.totalTransactions })}
        />
      )}
    </>
  );
}
