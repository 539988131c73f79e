/** Every transaction of the bank. Without filters, the first page is requested without parameters. */
import { adminCustomersApi } from '#contract/adminCustomers.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { BankFilter } from '#contract/transactions.ts';
import { queryOf, writeFilters } from '#web/bank/transactionFilters.ts';
import { useFilterAddress } from '#web/bank/useFilterAddress.ts';
import { ExportButton } from '../panel/ExportButton.tsx';
import { SavedFilters } from '../panel/SavedFilters.tsx';
import { ViewHead, type ViewProps } from '../panel/ViewHead.tsx';
import { viewAddress } from '../panel/viewAddress.ts';
import { words } from '../words.ts';
import { TransactionList } from './TransactionList.tsx';

export function TransactionsView({ menu }: ViewProps) {
  const filterAddress = useFilterAddress(['view', 'transaction'], BankFilter.shape);
  const { filters, page, filtered } = filterAddress;
  return (
    <>
      <ViewHead menu={menu} title={adminMessages.transactions}>
        <ExportButton
          call={adminCustomersApi.exportAllTransactions}
          query={filters}
          search={filters.search}
        />
      </ViewHead>
      <TransactionList
        level={2}
        filterAddress={filterAddress}
        query={page > 1 || filtered ? queryOf(filters, page) : undefined}
        addressWith={parts => viewAddress('transactions', page, [...writeFilters(filters), ...parts])}
        emptyText={
          filters.search
            ? words.nothingLikeIt
            : filtered
              ? words.noTransactionsFound
              : words.noTransactionsText
        }
      >
        <SavedFilters view="transactions" />
      </TransactionList>
    </>
  );
}
