/**
 * Transactions with their filters, newest first, paginated. A transaction opens over the list. The URL holds the filters, the
 * page and the open transaction.
 */
import type { ReactNode } from 'react';
import { formatCount } from '#contract/count.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { fill } from '#contract/messages/fill.ts';
import { FilterBar } from '#web/bank/FilterBar.tsx';
import { pagerTexts } from '#web/bank/pagerTexts.ts';
import { noFilters, type queryOf } from '#web/bank/transactionFilters.ts';
import type { useFilterAddress } from '#web/bank/useFilterAddress.ts';
import { useLastPage } from '#web/bank/useLastPage.ts';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { useSearchParams } from '#web/router/hooks.ts';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Pager } from '#web/ui/Pager.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Table } from '#web/ui/Table.tsx';
import { useAdminTransactionsQuery } from '../adminCalls.ts';
import { ListFailed } from '../panel/ListFailed.tsx';
import { SearchLimits } from '../panel/SearchLimits.tsx';
import { words } from '../words.ts';
import { TransactionSheet } from './TransactionSheet.tsx';
import { transactionColumns } from './transactionColumns.tsx';
import './TransactionTable.css';

export type TransactionListProps = {
  filterAddress: ReturnType<typeof useFilterAddress>;
  /** Undefined to request the newest transactions without parameters. */
  query: ReturnType<typeof queryOf> | undefined;
  /** The URL of the list with further parameters. */
  addressWith: (parts: [string, string][]) => { search: string };
  emptyText: string;
  level?: 2;
  withoutSearch?: boolean;
  /** Shown between the filters and the list. */
  children?: ReactNode;
};

export function TransactionList(props: TransactionListProps) {
  const { filterAddress, query, addressWith, emptyText, level, withoutSearch = false, children } = props;
  const { filters, page, filtered, change, turnTo, turnBackTo } = filterAddress;
  const [address] = useSearchParams();
  const { data, currentData, isFetching, error, refetch } = useAdminTransactionsQuery(
    query && { query },
    pollingOptions,
  );
  const pages = Math.max(1, data?.totalPages ?? 1);
  useLastPage({ page, replace: turnBackTo }, { totalPages: currentData?.totalPages });

  return (
    <>
      <FilterBar withHeld withoutSearch={withoutSearch} filters={filters} onChange={change} />
      {children}
      {currentData && <SearchLimits {...currentData} />}
      {error && !isFetching && !currentData ? (
        <ListFailed error={error} onRetry={refetch} />
      ) : (
        <Panel pad={false} label={adminMessages.transactions}>
          <Table
            className="TransactionTable"
            caption={adminMessages.transactions}
            columns={transactionColumns(id => addressWith([['transaction', id]]))}
            rows={data?.transactions ?? []}
            rowKey={row => row._id}
            loading={isFetching && !currentData}
            loadingLabel={adminMessages.loadingTransactions}
            loadingRows={10}
            empty={
              <EmptyState
                title={adminMessages.noTransactions}
                level={level}
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
      <TransactionSheet id={address.get('transaction') ?? undefined} listAddress={addressWith([])} />
    </>
  );
}
