/**
 * The transactions grouped by month. In the left margin are the month's name and two totals: money in and money out. They count
 * every transaction of the month that matches the filters, also those on other pages.
 */
import type { MonthTotal, Transaction } from '#contract/entities.ts';
import { formatDollars } from '#contract/money.ts';
import { EntryList } from '#web/bank/EntryList.tsx';
import { TransactionRow } from '#web/bank/TransactionRow.tsx';
import { groupByMonth } from './monthGroups.ts';
import { words } from './words.ts';
import './MonthList.css';

export type MonthListProps = {
  transactions: readonly Transaction[];
  /** The totals of the months; undefined until they are loaded. */
  totals: readonly MonthTotal[] | undefined;
  customerId: string;
  /** The query string of the URL, which the rows' links keep. */
  search: string;
};

export function MonthList({ transactions, totals, customerId, search }: MonthListProps) {
  return groupByMonth(transactions).map(({ month, title, transactions: rows }) => {
    const total = totals?.find(one => one.month === month);
    return (
      <section key={month} className="MonthList" aria-label={title}>
        <header>
          <div>
            <h2 className="type-head">{title}</h2>
            {/* The place is kept while the totals load. */}
            <dl className="num" aria-hidden={!total || undefined} data-loading={!total}>
              <div>
                <dt>{words.in}</dt>
                <dd>{formatDollars(total?.in ?? 0)}</dd>
              </div>
              <div>
                <dt>{words.out}</dt>
                <dd>{formatDollars(total?.out ?? 0)}</dd>
              </div>
            </dl>
          </div>
        </header>
        <EntryList label={title} layout="wide">
          {rows.map(transaction => (
            <TransactionRow
              key={transaction._id}
              transaction={transaction}
              customerId={customerId}
              layout="wide"
              search={search}
            />
          ))}
        </EntryList>
      </section>
    );
  });
}
