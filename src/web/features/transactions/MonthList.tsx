/** The rows under their months, which hang in the left margin with the month's money in and out where all of it is on show. */
import type { Transaction } from '#contract/entities.ts';
import { formatCents } from '#contract/money.ts';
import { EntryList } from '#web/bank/EntryList.tsx';
import { TransactionRow } from '#web/bank/TransactionRow.tsx';
import { groupByMonth } from './monthGroups.ts';
import { words } from './words.ts';
import './MonthList.css';

export type MonthListProps = {
  transactions: readonly Transaction[];
  customerId: string;
  /** No filter leaves rows of a month out. */
  whole: boolean;
  isFirstPage: boolean;
  isLastPage: boolean;
  /** The search part of the address, which the rows' own addresses keep. */
  search: string;
};

export function MonthList(props: MonthListProps) {
  const { transactions, customerId, whole, search } = props;
  const groups = groupByMonth(transactions, customerId);
  // The months at a page's ends may go on on the pages beside it.
  const open = [!props.isFirstPage && groups.at(0), !props.isLastPage && groups.at(-1)];
  return groups.map(group => {
    const { month, title, inCents, outCents, transactions: rows } = group;
    return (
      <section key={month} className="MonthList" aria-label={title}>
        <header>
          <div>
            <h2 className="type-head">{title}</h2>
            {whole && !open.includes(group) && (
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
            )}
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
