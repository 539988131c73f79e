/** How loans stand on a day of the bank's calendar. A payment counts as made when the day it was due is over. */
import { type Cents, centsToDollars, dollarsToCents } from '#contract/money.ts';
import { type LoanTerms, type Payment, scheduleOf } from './schedule.ts';

/** A loan as it is shown, with all its payments. */
export type Loan = LoanTerms & {
  status: 'active' | 'completed';
  /** Dollars still owed by the schedule. */
  remainingAmount: number;
  payments: readonly Payment[];
  /** How many of them are made. */
  made: number;
  /** The one that falls due next; none when all are made. */
  next: Payment | undefined;
};

/** The loan on a day, `2026-11-21`. */
export function loanOn(terms: LoanTerms, today: string): Loan {
  const payments = scheduleOf(terms);
  const made = payments.filter(payment => payment.due < today).length;
  const owed = payments[made - 1]?.balance ?? dollarsToCents(terms.amount) ?? 0n;
  return {
    ...terms,
    status: made < payments.length ? 'active' : 'completed',
    remainingAmount: centsToDollars(owed),
    payments,
    made,
    next: payments[made],
  };
}

/** The next day something falls due and what falls due on it, over all loans; nothing when all are repaid. */
export function nextDue(loans: readonly Loan[]): { due: string; total: Cents } | undefined {
  const coming = loans.flatMap(loan => loan.next ?? []);
  const due = coming.map(payment => payment.due).sort()[0];
  if (due === undefined) return undefined;
  const total = coming
    .filter(payment => payment.due === due)
    .reduce((sum, payment) => sum + payment.total, 0n);
  return { due, total };
}
