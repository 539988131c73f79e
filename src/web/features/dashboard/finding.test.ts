/** The chart's headline matches its bars. */
import { expect, test } from 'vitest';
import type { Month } from '#contract/entities.ts';
import { findingOf } from './finding.ts';

const october: Month = { month: '2026-10', in: 4250, out: 3466.4 };
const november = (moneyIn: number, out: number): Month[] => [october, { month: '2026-11', in: moneyIn, out }];

test('a customer who spent less than they received reads what was kept', () => {
  expect(findingOf(november(4180, 2306.8))).toBe('You kept $1,873.20 of the money you received in November.');
});

test('a customer who spent more reads by how much', () => {
  expect(findingOf(november(0.1, 0.3))).toBe('You spent $0.20 more than you received in November.');
});

test('a balanced month, a month without money and an empty year each have their sentence', () => {
  const sentences = [
    findingOf(november(5, 5)),
    findingOf(november(0, 0)),
    findingOf([{ ...october, in: 0, out: 0 }]),
  ];
  expect(sentences).toEqual([
    'You spent as much as you received in November.',
    'No money in or out in November yet.',
    'No money in or out yet.',
  ]);
});
