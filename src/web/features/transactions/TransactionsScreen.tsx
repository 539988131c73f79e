/**
 * The customer's transactions, filtered, paginated and grouped by month. The URL holds filters and page; a single
 * transaction has a URL below this one and opens over the list.
 */
import { useEffect, useState } from 'react';
import { formatCount } from '#contract/count.ts';
import { fill } from '#contract/messages/fill.ts';
import * as navMessages from '#contract/messages/nav.ts';
import * as recordsMessages from '#contract/messages/records.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import { FilterBar } from '#web/bank/FilterBar.tsx';
import { LoadFailed } from '#web/bank/LoadFailed.tsx';
import { pagerTexts } from '#web/bank/pagerTexts.ts';
import { noFilters, queryOf } from '#web/bank/transactionFilters.ts';
import { useFilterAddress } from '#web/bank/useFilterAddress.ts';
import { useLastPage } from '#web/bank/useLastPage.ts';
import { useLinkedDialog } from '#web/bank/useLinkedDialog.ts';
import { selectCustomer } from '#web/base/session.ts';
import { useAppDispatch, useAppSelector } from '#web/base/store.ts';
import { useLocation } from '#web/router/hooks.ts';
import { Outlet } from '#web/router/Outlet.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Pager } from '#web/ui/Pager.tsx';
import { ExportDialog } from './ExportDialog.tsx';
import { MonthList } from './MonthList.tsx';
import { NoTransactions } from './NoTransactions.tsx';
import { PrintHead } from './PrintHead.tsx';
import { StatementsDialog } from './StatementsDialog.tsx';
import { TransactionsWait } from './TransactionsWait.tsx';
import { useListTransactionsQuery, useMonthTotalsQuery } from './transactionsCalls.ts';
import { selectTransactions, transactionsReset } from './transactionsSlice.ts';
import { words } from './words.ts';
import './TransactionsScreen.css';

export function TransactionsScreen() {
  const { search } = useLocation();
  const { filters, page, filtered, change, turnTo, turnBackTo } = useFilterAddress();
  const { currentData, data, isFetching, refetch } = useListTransactionsQuery({
    query: queryOf(filters, page),
  });
  const { currentData: totals } = useMonthTotalsQuery({ query: queryOf(filters, page) });
  const { error, message } = useAppSelector(selectTransactions);
  const customer = useAppSelector(selectCustomer);
  const dispatch = useAppDispatch();
  const [isExporting, setIsExporting] = useState(false);
  const statements = useLinkedDialog('statements');
  useEffect(() => () => void dispatch(transactionsReset()), [dispatch]);

  // While another page or filter loads, the previous rows stay, dimmed, so that the layout does not jump.
  const answer = currentData ?? (error ? undefined : data);
  const lastPage = answer?.totalPages ?? 0;
  // The page is past the last one.
  const isBeyond = answer !== undefined && answer.transactions.length === 0 && answer.totalTransactions > 0;
  const shown = isBeyond ? undefined : answer;
  useLastPage({ page, replace: turnBackTo }, { totalPages: currentData?.totalPages });

  return (
    <>
      {customer && <PrintHead customer={customer} page={page} pageCount={lastPage} />}
      <div className="TransactionsScreen-top">
        <div>
          <h1 className="type-title">{navMessages.transactions}</h1>
          <p className="type-small TransactionsScreen-count" role="status">
            {shown && countText(shown.totalTransactions, filtered)}
          </p>
        </div>
        <div className="TransactionsScreen-files">
          {/* Disabled rather than absent: on a phone, a button that appears later would move the list down. */}
          <Button
            kind="quiet"
            size="s"
            icon="download"
            disabled={!shown?.totalTransactions}
            onClick={() => setIsExporting(true)}
          >
            {transactionsMessages.exported}
          </Button>
          <Button kind="quiet" size="s" icon="document" onClick={statements.open}>
            {recordsMessages.statements}
          </Button>
        </div>
      </div>
      <FilterBar filters={filters} onChange={change} />
      {error && !currentData && <LoadFailed title={words.failed} text={message} onRetry={refetch} />}
      {!shown && !error && <TransactionsWait />}
      {shown && customer && (
        <div
          className="TransactionsScreen-list"
          aria-busy={isFetching}
          data-stale={isFetching && !currentData}
        >
          {shown.transactions.length > 0 ? (
            <MonthList
              transactions={shown.transactions}
              // While other rows load, the visible ones belong to the previous URL, so they get no totals.
              totals={currentData && totals?.months}
              customerId={customer._id}
              search={search}
            />
          ) : (
            <NoTransactions filtered={filtered} filters={filters} onClear={() => change(noFilters)} />
          )}
          {shown.totalTransactions > 0 && (
            <Pager
              texts={pagerTexts}
              page={Math.min(page, Math.max(shown.totalPages, 1))}
              pageCount={shown.totalPages}
              onPage={turnTo}
              busy={isFetching && !currentData}
            />
          )}
        </div>
      )}
      <ExportDialog
        open={isExporting}
        onClose={() => setIsExporting(false)}
        filters={filters}
        filtered={filtered}
      />
      <StatementsDialog open={statements.isOpen} onClose={statements.close} />
      <Outlet />
    </>
  );
}

function countText(n: number, filtered: boolean): string {
  if (n === 1) return filtered ? words.foundOne : words.totalOne;
  return fill(filtered ? words.found : words.total, { n: formatCount(n) });
}
