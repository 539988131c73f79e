/**
 * The transactions grouped by month. The month's name is in the left margin, with its money in and out if the page shows
 * all of its rows.
 */
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
  /** Whether the list is unfiltered, so that no month is missing rows. */
  whole: boolean;
  isFirstPage: boolean;
  isLastPage: boolean;
  /** The query string of the URL, which the rows' links keep. */
  search: string;
};

export function MonthList(props: MonthListProps) {
  const { transactions, customerId, whole, search } = props;
  const groups = groupByMonth(transactions, customerId);
  // The first and last month may continue on the neighboring pages.
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
