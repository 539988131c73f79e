/** One customer's transactions. */
import type { CustomerRecord } from '#contract/adminCustomers.ts';
import { BankFilter } from '#contract/transactions.ts';
import { queryOf, writeFilters } from '#web/bank/transactionFilters.ts';
import { useFilterAddress } from '#web/bank/useFilterAddress.ts';
import { viewAddress } from '../panel/viewAddress.ts';
import { TransactionList } from '../transactions/TransactionList.tsx';
import { words } from '../words.ts';

export function CustomerTransactions({ customer }: { customer: CustomerRecord }) {
  const filterAddress = useFilterAddress(['view', 'customer', 'tab', 'transaction'], BankFilter.shape);
  const { filters, page, filtered } = filterAddress;
  return (
    <TransactionList
      withoutSearch
      filterAddress={filterAddress}
      query={queryOf({ ...filters, search: customer.accountNumber }, page)}
      addressWith={parts =>
        viewAddress('customer', page, [
          ['customer', customer._id],
          ['tab', 'transactions'],
          ...writeFilters(filters),
          ...parts,
        ])
      }
      emptyText={filtered ? words.noTransactionsFound : words.noCustomerTransactions}
    />
  );
}
