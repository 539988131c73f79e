/** The shape of a month with a page of rows, in its place until the list is there. */
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
