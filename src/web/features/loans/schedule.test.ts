/** For any terms, a loan's schedule adds up to the cent and ends at zero. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { centsToDollars } from '#contract/money.ts';
import { addMonths } from '#web/bank/months.ts';
import { sampleLoans } from './sampleLoans.ts';
import { type LoanTerms, scheduleOf, totalsOf } from './schedule.ts';

const day = fc
  .record({
    year: fc.integer({ min: 2000, max: 2100 }),
    month: fc.integer({ min: 0, max: 11 }),
    day: fc.integer({ min: 1, max: 31 }),
  })
  .map(({ year, month, day }) => new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10));

const loan = fc
  .record({
    cents: fc.bigInt({ min: 1n, max: 100_000_000_00n }),
    rateHundredths: fc.integer({ min: 1, max: 60_00 }),
    months: fc.integer({ min: 1, max: 360 }),
    startDate: day,
  })
  .map(({ cents, rateHundredths, months, startDate }) => ({
    cents,
    months,
    terms: {
      id: 'any',
      type: 'personal',
      amount: centsToDollars(cents),
      interestRate: rateHundredths / 100,
      startDate,
      endDate: addMonths(startDate, months),
    } satisfies LoanTerms,
  }));

test('the payments repay exactly the loan, each is its interest plus its principal, and nothing is left', () => {
  fc.assert(
    fc.property(loan, ({ cents, months, terms }) => {
      const payments = scheduleOf(terms);
      expect(payments).toHaveLength(months);
      expect(totalsOf(payments).principal).toBe(cents);
      let balance = cents;
      for (const payment of payments) {
        expect(payment.total).toBe(payment.interest + payment.principal);
        expect(payment.interest >= 0n && payment.principal >= 0n).toBe(true);
        balance -= payment.principal;
        expect(payment.balance).toBe(balance);
        expect(balance >= 0n).toBe(true);
      }
      expect(balance).toBe(0n);
      expect(payments.at(-1)?.due).toBe(terms.endDate);
    }),
  );
});

test('every payment but the last is equal, and the last differs by at most a cent per month, compounded', () => {
  const usual = loan.filter(({ cents, months }) => cents >= 500_00n && months <= 60);
  fc.assert(
    fc.property(usual, ({ months, terms }) => {
      const payments = scheduleOf(terms);
      const level = payments[0]!.total;
      for (const payment of payments.slice(0, -1)) expect(payment.total).toBe(level);
      // Each month, rounding changes the payment and the interest by up to half a cent each. The interest rate compounds that.
      const monthly = terms.interestRate / 1200;
      const max = ((1 + monthly) ** months - 1) / monthly + 1;
      expect(Math.abs(Number(payments.at(-1)!.total - level))).toBeLessThanOrEqual(max);
    }),
  );
});

test('a payment due on the 31st falls on the last day of a shorter month, and on the 31st again afterward', () => {
  const days = [1, 2, 3, 12, 13].map(months => addMonths('2027-01-31', months));
  expect(days).toEqual(['2027-02-28', '2027-03-31', '2027-04-30', '2028-01-31', '2028-02-29']);
  expect(addMonths('2026-12-15', 1)).toBe('2027-01-15');
  fc.assert(
    fc.property(day, fc.integer({ min: 0, max: 400 }), (start, months) => {
      const later = new Date(`${addMonths(start, months)}T00:00:00Z`);
      const from = new Date(`${start}T00:00:00Z`);
      const monthsApart =
        (later.getUTCFullYear() - from.getUTCFullYear()) * 12 + later.getUTCMonth() - from.getUTCMonth();
      expect(monthsApart).toBe(months);
      const nextDay = new Date(later.getTime() + 86_400_000);
      if (later.getUTCDate() !== from.getUTCDate()) expect(nextDay.getUTCDate()).toBe(1);
    }),
  );
});

test('the personal sample loan is repaid in 24 payments of $236.54, the last of $236.43 [LN-07, LN-08]', () => {
  const payments = scheduleOf(sampleLoans[0]!);
  expect(payments.map(payment => payment.total)).toEqual([...Array<bigint>(23).fill(236_54n), 236_43n]);
  expect(payments[0]).toEqual({
    number: 1,
    due: '2026-02-15',
    interest: 52_08n,
    principal: 184_46n,
    total: 236_54n,
    balance: 4815_54n,
  });
  expect(totalsOf(payments)).toEqual({ interest: 676_85n, principal: 5000_00n, total: 5676_85n });
});
