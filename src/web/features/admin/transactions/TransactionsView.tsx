/**
 * Every transaction of the bank, newest first, paginated, with filters and search; one of them opens over the list. The URL
 * holds all of that. Without filters, the first page is requested without parameters.
 */
import { useEffect } from 'react';
import { adminCustomersApi } from '#contract/adminCustomers.ts';
import { formatCount } from '#contract/count.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { fill } from '#contract/messages/fill.ts';
import { FilterBar } from '#web/bank/FilterBar.tsx';
import { pagerTexts } from '#web/bank/pagerTexts.ts';
import { noFilters, queryOf, writeFilters } from '#web/bank/transactionFilters.ts';
import { useFilterAddress } from '#web/bank/useFilterAddress.ts';
import { useSearchParams } from '#web/router/hooks.ts';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Pager } from '#web/ui/Pager.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Table } from '#web/ui/Table.tsx';
import { pollingOptions, useAdminTransactionsQuery } from '../adminCalls.ts';
import { ExportButton } from '../panel/ExportButton.tsx';
import { ListFailed } from '../panel/ListFailed.tsx';
import { SavedFilters } from '../panel/SavedFilters.tsx';
import { SearchLimits } from '../panel/SearchLimits.tsx';
import { ViewHead, type ViewProps } from '../panel/ViewHead.tsx';
import { viewAddress } from '../panel/viewAddress.ts';
import { words } from '../words.ts';
import { TransactionSheet } from './TransactionSheet.tsx';
import { transactionColumns } from './transactionColumns.tsx';
import './TransactionTable.css';

export function TransactionsView({ menu }: ViewProps) {
  const [address] = useSearchParams();
  const { filters, page, filtered, change, turnTo, turnBackTo } = useFilterAddress('view');
  const { data, currentData, isFetching, error, refetch } = useAdminTransactionsQuery(
    page > 1 || filtered ? { query: queryOf(filters, page) } : undefined,
    pollingOptions,
  );
  const rows = data?.transactions ?? [];
  const pages = Math.max(1, data?.totalPages ?? 1);
  const opened = address.get('transaction') ?? undefined;
  const listAddress = (parts: [string, string][] = []) =>
    viewAddress('transactions', page, [...writeFilters(filters), ...parts]);

  // The URL can name a page past the last one (an old bookmark): go to the last page.
  const isBeyond = currentData !== undefined && currentData.transactions.length === 0 && page > pages;
  useEffect(() => {
    if (isBeyond) turnBackTo(pages);
  }, [isBeyond, pages, turnBackTo]);

  const emptyText = filters.search
    ? words.nothingLikeIt
    : filtered
      ? words.noTransactionsFound
      : words.noTransactionsText;
  return (
    <>
      <ViewHead menu={menu} title={adminMessages.transactions}>
        {!filters.search && <ExportButton call={adminCustomersApi.exportAllTransactions} query={filters} />}
      </ViewHead>
      <FilterBar filters={filters} onChange={change} />
      <SavedFilters view="transactions" />
      {currentData && <SearchLimits {...currentData} />}
      {error && !isFetching && !currentData ? (
        <ListFailed error={error} onRetry={refetch} />
      ) : (
        <Panel pad={false} label={adminMessages.transactions}>
          <Table
            className="TransactionTable"
            caption={adminMessages.transactions}
            columns={transactionColumns(id => listAddress([['transaction', id]]))}
            rows={rows}
            rowKey={row => row._id}
            loading={isFetching && !currentData}
            loadingLabel={adminMessages.loadingTransactions}
            loadingRows={10}
            empty={
              <EmptyState
                title={adminMessages.noTransactions}
                level={2}
                action={
                  filtered && (
                    <Button kind="quiet" onClick={() => change(noFilters)}>
                      {words.clearFilters}
                    </Button>
                  )
                }
              >
                {emptyText}
              </EmptyState>
            }
          />
        </Panel>
      )}
      {data && (
        <Pager
          texts={pagerTexts}
          jump
          page={Math.min(page, pages)}
          pageCount={pages}
          busy={isFetching}
          onPage={turnTo}
          text={fill(adminMessages.transactionsFooter, {
            page: formatCount(Math.min(page, pages)),
            pages: formatCount(pages),
            n: formatCount(data.totalTransactions),
          })}
        />
      )}
      <TransactionSheet id={opened} listAddress={listAddress()} />
    </>
  );
}
