/** The bank's latest transactions, with a link to all of them. */

import { shortDay } from '#contract/bankTime.ts';
import { paging } from '#contract/constants.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { EntryList } from '#web/bank/EntryList.tsx';
import { type EntryDirection, EntryRow } from '#web/bank/EntryRow.tsx';
import { Money } from '#web/bank/Money.tsx';
import { statusTexts, typeTexts } from '#web/bank/transactionReading.ts';
import { Link } from '#web/router/Link.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { Status } from '#web/ui/Status.tsx';
import { useAdminTransactionsQuery } from '../adminCalls.ts';
import { ListFailed } from '../panel/ListFailed.tsx';
import { transactionAddress } from '../panel/viewAddress.ts';
import { payeeOf, payerOf } from '../transactions/transactionSides.ts';
import { words } from '../words.ts';
import { LinkedPanel } from './LinkedPanel.tsx';

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
        <Skeleton kind="rows" count={paging.recentTransactions} label={adminMessages.loadingTransactions} />
      ) : rows.length === 0 ? (
        <EmptyState title={adminMessages.noTransactions}>{words.noTransactionsText}</EmptyState>
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
