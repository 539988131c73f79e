/** The remaining amount of a loan matches its schedule on the day. */
import { expect, test } from 'vitest';
import { loanOn, nextDue } from './loanOn.ts';
import { sampleLoans } from './sampleLoans.ts';

const [personal, business] = sampleLoans;
const owedOn = (day: string) => loanOn(personal!, day).remainingAmount;

test('there are two sample loans, with the terms of the specification [LN-01, LN-06, LN-07, LN-12, E-16]', () => {
  expect(sampleLoans.map(terms => loanOn(terms, '2026-11-21'))).toMatchObject([
    {
      id: 'personal-2026',
      type: 'personal',
      status: 'active',
      amount: 5000,
      interestRate: 12.5,
      startDate: '2026-01-15',
      endDate: '2028-01-15',
      remainingAmount: 3066.52,
    },
    {
      id: 'business-2023',
      type: 'business',
      status: 'completed',
      amount: 10_000,
      interestRate: 10.5,
      startDate: '2023-03-01',
      endDate: '2025-03-01',
      remainingAmount: 0,
    },
  ]);
});

test('a payment is due throughout its day and counts as made from the next day [LN-07]', () => {
  expect(owedOn('2026-01-15')).toBe(5000);
  expect(owedOn('2026-02-15')).toBe(5000);
  expect(owedOn('2026-02-16')).toBe(4815.54);
  expect(owedOn('2028-01-15')).toBe(233.99);
  expect(owedOn('2028-01-16')).toBe(0);
});

test('the active loan is completed once its last day is over, and nothing more is due', () => {
  expect(loanOn(personal!, '2028-01-15')).toMatchObject({ status: 'active', made: 23 });
  const after = loanOn(personal!, '2028-01-16');
  expect(after).toMatchObject({ status: 'completed', next: undefined });
  expect(nextDue([after])).toBeUndefined();
});

test('the next payment is on the nearest due day, with everything due on it', () => {
  const loans = [
    personal!,
    { ...personal!, id: 'second' },
    { ...business!, startDate: '2026-03-01', endDate: '2028-03-01' },
  ];
  const on = (day: string) => nextDue(loans.map(terms => loanOn(terms, day)));
  expect(on('2026-11-02')).toEqual({ due: '2026-11-15', total: 473_08n });
  expect(on('2026-11-16')).toEqual({ due: '2026-12-01', total: 463_76n });
});
