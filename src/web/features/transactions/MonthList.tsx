/** The rows under their months, which hang in the left margin with the money in and out of the rows shown. */
import type { Transaction } from '#contract/entities.ts';
import { formatCents } from '#contract/money.ts';
import { EntryList } from '#web/ui/EntryList.tsx';
import { TransactionRow } from '#web/ui/TransactionRow.tsx';
import { groupByMonth } from './monthGroups.ts';
import { words } from './words.ts';
import './MonthList.css';

export type MonthListProps = {
  transactions: readonly Transaction[];
  customerId: string;
  /** There are other pages, so a month's sums may not be the whole month's. */
  partial: boolean;
  /** The search part of the address, which the rows' own addresses keep. */
  search: string;
};

export function MonthList({ transactions, customerId, partial, search }: MonthListProps) {
  return groupByMonth(transactions, customerId).map(
    ({ month, title, inCents, outCents, transactions: rows }) => (
      <section key={month} className="MonthList" aria-label={title}>
        <header>
          <div>
            <h2 className="type-head">{title}</h2>
            <dl className="num">
              <div>
                <dt>{words.in}</dt>
                <dd>{formatCents(inCents)}</dd>
              </div>
              <div>
                <dt>{words.out}</dt>
                <dd>{formatCents(outCents)}</dd>
              </div>
            </dl>
            {partial && <p className="MonthList-scope">{words.onThisPage}</p>}
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
    ),
  );
}
