/** The lines of incoming files that the bank did not apply. Staff take and resolve the open ones. */
import * as railMessages from '#contract/messages/rail.ts';
import { type RailException, railApi } from '#contract/rail.ts';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { Link } from '#web/router/Link.tsx';
import type { Column } from '#web/ui/Table.tsx';
import { CellLines } from '../panel/CellLines.tsx';
import { PagedPanel } from '../panel/PagedPanel.tsx';
import { QueueTable } from '../panel/QueueTable.tsx';
import { transactionAddress } from '../panel/viewAddress.ts';
import { RailAccount } from './RailAccount.tsx';
import { RailAmount } from './RailAmount.tsx';
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
        noteOf={noteOf}
        closedOf={({ resolvedAt, resolvedBy }) =>
          resolvedAt === undefined ? undefined : { at: resolvedAt, by: resolvedBy }
        }
        call={railApi.resolveRailException}
        onTake={assign}
        act={{ name: words.retry, isFor: canRetry, run: retry, onceClosed: words.notAfterClosing }}
        onClose={resolve}
        onDone={onDone}
      />
    </PagedPanel>
  );
}

const canRetry = ({ reason, resolvedAt }: RailException) => reason === 'failed' && resolvedAt === undefined;

/** What staff must know about the money before they do anything. */
const noteOf = (row: RailException) =>
  row.senders && row.resolvedAt === undefined
    ? words.otherSender(row.senders)
    : canRetry(row)
      ? words.notBooked
      : isUnanswered(row)
        ? words.notSentBack
        : isOfSentBack(row)
          ? words.sentBackBefore
          : row.reason === 'unknown' && row.resolvedAt === undefined
            ? words.noPayment
            : undefined;

/**
 * Whether the row is about a repetition of a deposit that the bank has sent back. A booked deposit is the row's transaction.
 */
const isOfSentBack = ({ reason, transaction, resolvedAt }: RailException) =>
  reason === 'duplicate' && transaction === undefined && resolvedAt === undefined;

/** Whether the row is about a deposit that the bank neither booked nor sent back, and never will. */
const isUnanswered = ({ kind, reason, resolvedAt }: RailException) =>
  kind === 'deposit' && (reason === 'currency' || reason === 'mismatch') && resolvedAt === undefined;

const columns: Column<RailException>[] = [
  {
    key: 'what',
    head: words.what,
    place: 'title',
    cell: row => (
      <CellLines>
        <b>{railMessages.exceptionReasons[row.reason]}</b>
        <span>{words.where(row.file, row.line)}</span>
        {noteOf(row) && <span>{noteOf(row)}</span>}
        {row.transaction && (
          <span>
            {(row.senders || row.reason === 'mismatch') && `${words.otherDeposit} `}
            <Link className="link num" to={transactionAddress(row.transaction._id)}>
              {row.transaction.reference}
            </Link>
          </span>
        )}
      </CellLines>
    ),
  },
  {
    key: 'details',
    head: words.details,
    // What the line of the file says about the payment.
    cell: ({ kind, keys, accountNumber, customerId, partyName, code, text }) => (
      <CellLines isLong>
        <span>{words.kinds[kind] ?? kind}</span>
        {partyName && <span>{partyName}</span>}
        {accountNumber && (
          <span>
            {words.account} <RailAccount accountNumber={accountNumber} customerId={customerId} />
          </span>
        )}
        {(code || text) && <span>{[code, text].filter(Boolean).join(' ')}</span>}
        {keys[0] && <span>{words.id(keys[0])}</span>}
      </CellLines>
    ),
  },
  {
    key: 'amount',
    head: words.amount,
    align: 'end',
    place: 'figure',
    cell: row => <RailAmount {...row} />,
  },
];
