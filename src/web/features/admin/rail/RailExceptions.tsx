/** The lines of incoming files that the bank did not apply. Staff take and resolve the open ones. */
import * as railMessages from '#contract/messages/rail.ts';
import { type RailException, railApi } from '#contract/rail.ts';
import { Money } from '#web/bank/Money.tsx';
import { Link } from '#web/router/Link.tsx';
import type { Column } from '#web/ui/Table.tsx';
import { pollingOptions } from '../adminCalls.ts';
import { CellLines } from '../panel/CellLines.tsx';
import { PagedPanel } from '../panel/PagedPanel.tsx';
import { QueueTable } from '../panel/QueueTable.tsx';
import { transactionAddress } from '../panel/viewAddress.ts';
import {
  openExceptions,
  useAssignRailExceptionMutation,
  useRailExceptionsQuery,
  useResolveRailExceptionMutation,
  useRetryRailExceptionMutation,
} from './railCalls.ts';
import { railWords as words } from './railWords.ts';

export type RailExceptionsProps = {
  list: 'open' | 'resolved';
  page: number;
  onPage: (page: number) => void;
  /** Called with the bank's answer to an act. */
  onDone: (message: string) => void;
};

export function RailExceptions({ list, page, onPage, onDone }: RailExceptionsProps) {
  const query = useRailExceptionsQuery(
    list === 'open' && page === 1 ? openExceptions : { query: { list, page } },
    pollingOptions,
  );
  const { data, currentData, isFetching } = query;
  const [assign] = useAssignRailExceptionMutation();
  const [resolve] = useResolveRailExceptionMutation();
  const [retry] = useRetryRailExceptionMutation();
  return (
    <PagedPanel
      label={words.lists[list]}
      list={query}
      page={page}
      onPage={onPage}
      countOf={data => data.totalExceptions}
      footer={words.footer.exceptions}
    >
      <QueueTable
        caption={words.lists[list]}
        columns={columns}
        rows={data?.exceptions ?? []}
        loading={isFetching && !currentData}
        empty={{ title: words.none[list], text: words.noneText[list] }}
        words={words}
        nameOf={({ reason, file, line }) =>
          `${railMessages.exceptionReasons[reason]}, ${words.where(file, line)}`
        }
        closedOf={({ resolvedAt, resolvedBy }) =>
          resolvedAt === undefined ? undefined : { at: resolvedAt, by: resolvedBy }
        }
        call={railApi.resolveRailException}
        onTake={assign}
        act={{ name: words.retry, isFor: ({ reason }) => reason === 'failed', run: retry }}
        onClose={resolve}
        onDone={onDone}
      />
    </PagedPanel>
  );
}

/** What the line of the file says about the payment. */
function detailsOf({ kind, keys, accountNumber, partyName, code, text }: RailException): string[] {
  const said = [code, text].filter(Boolean).join(' ');
  return [
    words.kinds[kind] ?? kind,
    partyName,
    accountNumber && words.account(accountNumber),
    said,
    keys[0] ? words.id(keys[0]) : '',
  ].filter(Boolean);
}

const columns: Column<RailException>[] = [
  {
    key: 'what',
    head: words.what,
    place: 'title',
    cell: row => (
      <CellLines>
        <b>{railMessages.exceptionReasons[row.reason]}</b>
        <span>{words.where(row.file, row.line)}</span>
        {row.transaction && (
          <Link className="link num" to={transactionAddress(row.transaction._id)}>
            {row.transaction.reference}
          </Link>
        )}
      </CellLines>
    ),
  },
  {
    key: 'details',
    head: words.details,
    cell: row => (
      <CellLines>
        {detailsOf(row).map(text => (
          <span key={text}>{text}</span>
        ))}
      </CellLines>
    ),
  },
  {
    key: 'amount',
    head: words.amount,
    align: 'end',
    place: 'figure',
    cell: ({ amount, currency }) =>
      currency === 'USD' ? <Money dollars={amount} /> : `${amount} ${currency}`,
  },
];
