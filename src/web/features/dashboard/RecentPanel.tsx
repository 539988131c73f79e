/** The five most recent transactions, and a link to all of them. */

import { paging } from '#contract/constants.ts';
import type { Transaction } from '#contract/entities.ts';
import * as dashboardMessages from '#contract/messages/dashboard.ts';
import { copyAccountNumber } from '#web/bank/copyAccountNumber.ts';
import { EntryList } from '#web/bank/EntryList.tsx';
import { TransactionRow } from '#web/bank/TransactionRow.tsx';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { ListPanel } from './ListPanel.tsx';
import { words } from './words.ts';

export type RecentPanelProps = {
  /** Undefined until they are loaded. */
  transactions: readonly Transaction[] | undefined;
  customerId: string;
  accountNumber: string;
  failed: boolean;
  onRetry: () => unknown;
  hidden: boolean;
};

export function RecentPanel(props: RecentPanelProps) {
  const { transactions, customerId, accountNumber, failed, onRetry, hidden } = props;
  const some = transactions !== undefined && transactions.length > 0;
  return (
    <ListPanel
      title={dashboardMessages.recentTitle}
      to="/dashboard/transactions"
      hasMore={some}
      isFailed={failed}
      failed={words.recentFailed}
      onRetry={onRetry}
      skeleton={
        <Skeleton
          kind="rows"
          count={paging.recentTransactions}
          label={dashboardMessages.loadingTransactions}
        />
      }
    >
      {some ? (
        <EntryList label={dashboardMessages.recentTitle}>
          {transactions.map(transaction => (
            <TransactionRow
              key={transaction._id}
              transaction={transaction}
              customerId={customerId}
              layout="short"
              hidden={hidden}
            />
          ))}
        </EntryList>
      ) : (
        transactions && (
          <EmptyState
            title={dashboardMessages.noRecent}
            action={
              <Button kind="quiet" icon="copy" onClick={() => void copyAccountNumber(accountNumber)}>
                {words.copyNumber}
              </Button>
            }
          >
            {words.noRecentText}
          </EmptyState>
        )
      )}
    </ListPanel>
  );
}
