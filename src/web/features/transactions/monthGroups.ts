/**
 * Puts the rows of one page under their months, as they hang in the list's margin, each with the money in and out of these
 * rows. Months are those of the bank's calendar; failed rows moved nothing and count in neither sum.
 */
import { monthOf, nameOfMonth } from '#contract/bankTime.ts';
import type { Transaction } from '#contract/entities.ts';
import type { Cents } from '#contract/money.ts';
import { readTransaction } from '#web/bank/transactionReading.ts';

/** A month's rows in the order they came, `title` being 'November', or 'November 2025' in another year than now. */
export type MonthGroup = {
  /** `2026-11` */
  month: string;
  title: string;
  inCents: Cents;
  outCents: Cents;
  transactions: Transaction[];
};

/** Groups neighbouring rows of the same month; the order of the rows is kept. */
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
