/** The state of loans on a day in the bank's time zone. A payment counts as made once its due day is over. */
import { type Cents, centsToDollars, dollarsToCents } from '#contract/money.ts';
import { type LoanTerms, type Payment, scheduleOf } from './schedule.ts';

/** A loan as displayed, with all its payments. */
export type Loan = LoanTerms & {
  status: 'active' | 'completed';
  /** Dollars still owed according to the schedule. */
  remainingAmount: number;
  payments: readonly Payment[];
  /** How many payments are made. */
  made: number;
  /** The next payment due; undefined if all are made. */
  next: Payment | undefined;
};

/** Returns the loan's state on a day, `2026-11-21`. */
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

/** Returns the next due day over all loans and the total due on it; undefined if all are repaid. */
export function nextDue(loans: readonly Loan[]): { due: string; total: Cents } | undefined {
  const coming = loans.flatMap(loan => loan.next ?? []);
  const due = coming.map(payment => payment.due).sort()[0];
  if (due === undefined) return undefined;
  const total = coming
    .filter(payment => payment.due === due)
    .reduce((sum, payment) => sum + payment.total, 0n);
  return { due, total };
}
