/** Rows are grouped by the bank's calendar months. */
import { expect, test } from 'vitest';
import { aTransaction } from '../../../../tests/transactions.ts';
import { groupByMonth } from './monthGroups.ts';

const now = new Date('2026-11-21T12:00:00Z');
const groups = (...timestamps: string[]) =>
  groupByMonth(
    timestamps.map(timestamp => aTransaction({ _id: timestamp, timestamp })),
    now,
  ).map(({ title, transactions }) => [title, transactions.length]);

test("rows are grouped by the month in the bank's time zone, newest first", () => {
  // The last is on the evening of October 31 in New York.
  expect(groups('2026-11-20T12:00:00Z', '2026-11-18T12:00:00Z', '2026-11-01T03:00:00Z')).toEqual([
    ['November', 2],
    ['October', 1],
  ]);
});

test('a month of another year includes the year', () => {
  expect(groups('2025-11-20T12:00:00Z')).toEqual([['November 2025', 1]]);
});

test('without rows there are no months', () => {
  expect(groups()).toEqual([]);
});
