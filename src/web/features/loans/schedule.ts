/**
 * The schedule of a loan repaid in equal monthly payments, in whole cents: the interest and principal of every payment. The
 * parts add up to the cent; the last payment absorbs the rounding. Pure: terms in, rows out.
 */
import { type Cents, dollarsToCents } from '#contract/money.ts';
import { addMonths, monthsBetween } from '#web/bank/months.ts';

/** The agreed terms of a loan. Days are calendar days, `2026-01-15`. */
export type LoanTerms = {
  id: string;
  type: 'personal' | 'business';
  /** Dollars. */
  amount: number;
  /** Percent per year, above zero, with at most two decimals. */
  interestRate: number;
  startDate: string;
  /** The day of the last payment: a whole number of months after the start. */
  endDate: string;
};

export type Payment = {
  /** Counts from 1. */
  number: number;
  due: string;
  interest: Cents;
  principal: Cents;
  /** Interest plus principal. */
  total: Cents;
  /** The amount still owed after this payment. */
  balance: Cents;
};

/** Divides and rounds to the nearest whole number, halves up. Both must be non-negative. */
const divideRounded = (value: bigint, by: bigint) => (2n * value + by) / (2n * by);

/** A yearly rate in hundredths of a percent, divided by this, is the monthly rate. */
const monthOfHundredths = 12n * 100n * 100n;

/** Returns every payment in order. The first is due a month after the start; the last brings the balance to zero. */
export function scheduleOf(terms: LoanTerms): Payment[] {
  const loan = dollarsToCents(terms.amount) ?? 0n;
  const rate = BigInt(Math.round(terms.interestRate * 100));
  const count = monthsBetween(terms.startDate, terms.endDate);
  // The annuity P·i / (1 − (1+i)^−n) with i = rate / monthOfHundredths, in integers, so that only the result is rounded.
  const grown = (monthOfHundredths + rate) ** BigInt(count);
  const level = divideRounded(
    loan * rate * grown,
    monthOfHundredths * (grown - monthOfHundredths ** BigInt(count)),
  );

  const payments: Payment[] = [];
  let balance = loan;
  for (let number = 1; number <= count; number++) {
    const interest = divideRounded(balance * rate, monthOfHundredths);
    const levelPrincipal = level - interest;
    const principal = number === count || levelPrincipal > balance ? balance : levelPrincipal;
    balance -= principal;
    const due = addMonths(terms.startDate, number);
    payments.push({ number, due, interest, principal, total: interest + principal, balance });
  }
  return payments;
}

/** The totals over all payments. */
export function totalsOf(payments: readonly Payment[]): Pick<Payment, 'interest' | 'principal' | 'total'> {
  const sums = { interest: 0n, principal: 0n, total: 0n };
  for (const { interest, principal, total } of payments) {
    sums.interest += interest;
    sums.principal += principal;
    sums.total += total;
  }
  return sums;
}
