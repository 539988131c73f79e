/** Groups the rows of one page by month, in the bank's time zone. */
import { monthOf, nameOfMonth } from '#contract/bankTime.ts';
import type { Transaction } from '#contract/entities.ts';

/** A month's rows in their given order. `title` is 'November', or 'November 2025' if it is not the current year. */
export type MonthGroup = {
  /** `2026-11` */
  month: string;
  title: string;
  transactions: Transaction[];
};

/** Groups adjacent rows of the same month and keeps the order of the rows. */
export function groupByMonth(transactions: readonly Transaction[], now = new Date()): MonthGroup[] {
  const groups: MonthGroup[] = [];
  const thisYear = monthOf(now).slice(0, 4);
  for (const transaction of transactions) {
    const month = monthOf(transaction.timestamp);
    let group = groups.at(-1);
    if (group?.month !== month) {
      const title = nameOfMonth(month, month.startsWith(thisYear) ? 'long' : 'full');
      group = { month, title, transactions: [] };
      groups.push(group);
    }
    group.transactions.push(transaction);
  }
  return groups;
}
