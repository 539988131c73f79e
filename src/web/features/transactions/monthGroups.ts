/**
 * Groups the rows of one page by month, each with the money in and out of these rows. Months follow the bank's time zone;
 * failed rows moved no money and count in neither total.
 */
import { monthOf, nameOfMonth } from '#contract/bankTime.ts';
import type { Transaction } from '#contract/entities.ts';
import type { Cents } from '#contract/money.ts';
import { readTransaction } from '#web/bank/transactionReading.ts';

/** A month's rows in their given order. `title` is 'November', or 'November 2025' if it is not the current year. */
export type MonthGroup = {
  /** `2026-11` */
  month: string;
  title: string;
  inCents: Cents;
  outCents: Cents;
  transactions: Transaction[];
};

/** Groups adjacent rows of the same month and keeps the order of the rows. */
export function groupByMonth(
  transactions: readonly Transaction[],
  customerId: string,
  now = new Date(),
): MonthGroup[] {
  const groups: MonthGroup[] = [];
  const thisYear = monthOf(now).slice(0, 4);
  for (const transaction of transactions) {
    const month = monthOf(transaction.timestamp);
    let group = groups.at(-1);
    if (group?.month !== month) {
      const title = nameOfMonth(month, month.startsWith(thisYear) ? 'long' : 'full');
      group = { month, title, inCents: 0n, outCents: 0n, transactions: [] };
      groups.push(group);
    }
    group.transactions.push(transaction);
    const reading = readTransaction(transaction, customerId);
    if (reading.void) continue;
    if (!reading.received) group.outCents += reading.amountCents;
    else if (transaction.status === 'completed') group.inCents += reading.amountCents;
  }
  return groups;
}
