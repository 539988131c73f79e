/** Shown instead of an empty list: no transactions yet, or none that match the filters. */
import * as navMessages from '#contract/messages/nav.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import { type Filters, isWrongRange } from '#web/bank/transactionFilters.ts';
import * as bankWords from '#web/bank/words.ts';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { words } from './words.ts';
import './NoTransactions.css';

export type NoTransactionsProps = { filtered: boolean; filters: Filters; onClear: () => void };

export function NoTransactions({ filtered, filters, onClear }: NoTransactionsProps) {
  const action = filtered ? (
    <Button kind="quiet" onClick={onClear}>
      {words.noneFoundAction}
    </Button>
  ) : (
    <Button to="/dashboard/add-money">{navMessages.addMoney}</Button>
  );
  return (
    <EmptyState className="NoTransactions" level={2} title={transactionsMessages.none} action={action}>
      {isWrongRange(filters) ? bankWords.wrongRange : filtered ? words.noneFoundText : words.noneText}
    </EmptyState>
  );
}
