/** One customer's transactions, newest first, paginated, with filters; one of them opens over the list. */
import { useEffect } from 'react';
import type { CustomerRecord } from '#contract/adminCustomers.ts';
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
import { ListFailed } from '../panel/ListFailed.tsx';
import { SearchLimits } from '../panel/SearchLimits.tsx';
import { viewAddress } from '../panel/viewAddress.ts';
import { TransactionSheet } from '../transactions/TransactionSheet.tsx';
import { transactionColumns } from '../transactions/transactionColumns.tsx';
import { words } from '../words.ts';
import '../transactions/TransactionTable.css';

export function CustomerTransactions({ customer }: { customer: CustomerRecord }) {
  const [address] = useSearchParams();
  const { filters, page, filtered, change, turnTo, turnBackTo } = useFilterAddress('view', 'customer', 'tab');
  const query = queryOf({ ...filters, search: customer.accountNumber }, page);
  const { data, currentData, isFetching, error, refetch } = useAdminTransactionsQuery(
    { query },
    pollingOptions,
  );
  const pages = Math.max(1, data?.totalPages ?? 1);
  const listAddress = (parts: [string, string][] = []) =>
    viewAddress('customer', page, [
      ['customer', customer._id],
      ['tab', 'transactions'],
      ...writeFilters(filters),
      ...parts,
    ]);

  // The URL can name a page past the last one: go to the last page.
  const isBeyond = currentData !== undefined && currentData.transactions.length === 0 && page > pages;
  useEffect(() => {
    if (isBeyond) turnBackTo(pages);
  }, [isBeyond, pages, turnBackTo]);

  return (
    <>
      <FilterBar withoutSearch filters={filters} onChange={change} />
      {currentData && <SearchLimits {...currentData} />}
      {error && !isFetching && !currentData ? (
        <ListFailed error={error} onRetry={refetch} />
      ) : (
        <Panel pad={false} label={adminMessages.transactions}>
          <Table
            className="TransactionTable"
            caption={adminMessages.transactions}
            columns={transactionColumns(id => listAddress([['transaction', id]]))}
            rows={data?.transactions ?? []}
            rowKey={row => row._id}
            loading={isFetching && !currentData}
            loadingLabel={adminMessages.loadingTransactions}
            loadingRows={10}
            empty={
              <EmptyState
                title={adminMessages.noTransactions}
                action={
                  filtered && (
                    <Button kind="quiet" onClick={() => change(noFilters)}>
                      {words.clearFilters}
                    </Button>
                  )
                }
              >
                {filtered ? words.noTransactionsFound : words.noCustomerTransactions}
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
      <TransactionSheet id={address.get('transaction') ?? undefined} listAddress={listAddress()} />
    </>
  );
}
