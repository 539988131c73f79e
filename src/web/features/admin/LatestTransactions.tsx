/** The newest transactions of the whole bank, beside the figures, with the way to all of them. */
import { Link } from 'react-router';
import { shortDay } from '#contract/bankTime.ts';
import { paging } from '#contract/constants.ts';
import { messages } from '#contract/messages.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { EntryList } from '#web/ui/EntryList.tsx';
import { type EntryDirection, EntryRow } from '#web/ui/EntryRow.tsx';
import { Money } from '#web/ui/Money.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { Status } from '#web/ui/Status.tsx';
import { useAdminTransactionsQuery } from './adminCalls.ts';
import { LinkedPanel } from './LinkedPanel.tsx';
import { ListFailed } from './ListFailed.tsx';
import { payeeOf, payerOf, statusTexts, typeTexts } from './transactionSides.ts';
import { transactionAddress } from './viewAddress.ts';
import { words } from './words.ts';

const directions: Record<string, EntryDirection> = {
  transfer: 'out',
  'admin-credit': 'credit',
  'external-transfer': 'bank',
};

export function LatestTransactions() {
  const { data, error, refetch } = useAdminTransactionsQuery();
  const rows = data?.transactions.slice(0, paging.recentTransactions) ?? [];
  return (
    <LinkedPanel title={words.latestTransactions} view="transactions">
      {error && !data ? (
        <ListFailed error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton kind="rows" count={paging.recentTransactions} label={messages.admin.loadingTransactions} />
      ) : rows.length === 0 ? (
        <EmptyState title={messages.admin.noTransactions}>{words.noTransactionsText}</EmptyState>
      ) : (
        <EntryList>
          {rows.map(row => (
            <EntryRow
              key={row._id}
              direction={row.status === 'failed' ? 'returned' : (directions[row.type] ?? 'out')}
              title={<Link to={transactionAddress(row._id)}>{typeTexts[row.type]}</Link>}
              party={words.fromTo(payerOf(row), payeeOf(row))}
              status={
                row.status !== 'completed' && <Status status={row.status}>{statusTexts[row.status]}</Status>
              }
              when={<time dateTime={row.timestamp}>{shortDay(row.timestamp)}</time>}
              amount={<Money dollars={row.amount} returned={row.status === 'failed'} />}
            />
          ))}
        </EntryList>
      )}
    </LinkedPanel>
  );
}
