/** The placeholder for a month with a page of rows, shown until the list is loaded. */
import { paging } from '#contract/constants.ts';
import * as dashboardMessages from '#contract/messages/dashboard.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import './MonthList.css';

export function TransactionsWait() {
  return (
    <div className="MonthList">
      <header />
      <Skeleton
        kind="rows"
        count={paging.transactionsDefault}
        label={dashboardMessages.loadingTransactions}
      />
    </div>
  );
}
