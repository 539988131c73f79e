/**
 * The schedule of a loan repaid in equal monthly payments, in whole cents: what every payment carries of interest and of the
 * loan itself. The parts add up to the cent; what rounding leaves is in the last payment. Pure: terms in, rows out.
 */
import { type Cents, dollarsToCents } from '#contract/money.ts';

/** What a loan was agreed at. Days are calendar days, `2026-01-15`. */
export type LoanTerms = {
  id: string;
  type: 'personal' | 'business';
  /** Dollars. */
  amount: number;
  /** Percent a year, above zero, with at most two decimals. */
  interestRate: number;
  startDate: string;
  /** The day of the last payment: a whole number of months after the start. */
  endDate: string;
};

export type Payment = {
  /** 1 for the first. */
  number: number;
  due: string;
  interest: Cents;
  principal: Cents;
  /** Interest and principal together. */
  total: Cents;
  /** What is still owed after it. */
  balance: Cents;
};

/** The same day so many months later; the last day of the month where the month is too short for it. */
export function addMonths(day: string, months: number): string {
  const [year, month, dayOfMonth] = day.split('-').map(Number) as [number, number, number];
  const count = year * 12 + (month - 1) + months;
  const lastDay = new Date(Date.UTC(Math.floor(count / 12), (count % 12) + 1, 0)).getUTCDate();
  const parts = [(count % 12) + 1, Math.min(dayOfMonth, lastDay)].map(part => String(part).padStart(2, '0'));
  return [Math.floor(count / 12), ...parts].join('-');
}

function monthsBetween(from: string, to: string): number {
  const [months, before] = [to, from].map(day => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)));
  return months! - before!;
}

/** To the nearest whole, a half upwards; of numbers that are not negative. */
const divided = (value: bigint, by: bigint) => (2n * value + by) / (2n * by);

/** A month's interest is the rate's hundredths of a percent over this. */
const monthOfHundredths = 12n * 100n * 100n;

/** Every payment in order. The first falls due a month after the start, the last brings the balance to zero. */
export function scheduleOf(terms: LoanTerms): Payment[] {
  const loan = dollarsToCents(terms.amount) ?? 0n;
  const rate = BigInt(Math.round(terms.interestRate * 100));
  const count = monthsBetween(terms.startDate, terms.endDate);
  // The annuity P·i / (1 − (1+i)^−n) with i = rate / monthOfHundredths, kept in whole numbers so that only the end is rounded.
  const grown = (monthOfHundredths + rate) ** BigInt(count);
  const level = divided(
    loan * rate * grown,
    monthOfHundredths * (grown - monthOfHundredths ** BigInt(count)),
  );

  const payments: Payment[] = [];
  let balance = loan;
  for (let number = 1; number <= count; number++) {
    const interest = divided(balance * rate, monthOfHundredths);
    const levelPrincipal = level - interest;
    const principal = number === count || levelPrincipal > balance ? balance : levelPrincipal;
    balance -= principal;
    const due = addMonths(terms.startDate, number);
    payments.push({ number, due, interest, principal, total: interest + principal, balance });
  }
  return payments;
}

/** What all payments carry together. */
export function totalsOf(payments: readonly Payment[]): Pick<Payment, 'interest' | 'principal' | 'total'> {
  const sums = { interest: 0n, principal: 0n, total: 0n };
  for (const { interest, principal, total } of payments) {
    sums.interest += interest;
    sums.principal += principal;
    sums.total += total;
  }
  return sums;
}
