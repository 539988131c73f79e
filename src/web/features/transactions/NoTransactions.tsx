/** Shown instead of an empty list: no transactions yet, or none that match the filters. */
import * as navMessages from '#contract/messages/nav.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { words } from './words.ts';
import './NoTransactions.css';

export type NoTransactionsProps = { filtered: boolean; onClear: () => void };

export function NoTransactions({ filtered, onClear }: NoTransactionsProps) {
  const action = filtered ? (
    <Button kind="quiet" onClick={onClear}>
      {words.noneFoundAction}
    </Button>
  ) : (
    <Button to="/dashboard/add-money">{navMessages.addMoney}</Button>
  );
  return (
    <EmptyState className="NoTransactions" level={2} title={transactionsMessages.none} action={action}>
      {filtered ? words.noneFoundText : words.noneText}
    </EmptyState>
  );
}
