/** Rows are grouped by the bank's calendar months, with the totals of the rows shown. */
import { expect, test } from 'vitest';
import type { Transaction } from '#contract/entities.ts';
import { aTransaction, ines, amara as me } from '../../../../tests/transactions.ts';
import { groupByMonth } from './monthGroups.ts';

const now = new Date('2026-11-21T12:00:00Z');
const row = (timestamp: string, amount: number, part: Partial<Transaction>) =>
  aTransaction({ _id: timestamp, timestamp, amount, ...part });

test('a customer sees each month with the money in and out of its rows, to the cent', () => {
  const groups = groupByMonth(
    [
      row('2026-11-20T12:00:00Z', 0.1, { sender: ines, receiver: me }),
      row('2026-11-19T12:00:00Z', 0.2, { type: 'admin-credit', receiver: me }),
      row('2026-11-18T12:00:00Z', 250, { sender: me, receiver: ines }),
      row('2026-11-01T03:00:00Z', 5, { sender: me, receiver: ines }),
    ],
    'me',
    now,
  );
  expect(groups.map(({ title, inCents, outCents }) => ({ title, inCents, outCents }))).toEqual([
    { title: 'November', inCents: 30n, outCents: 25_000n },
    { title: 'October', inCents: 0n, outCents: 500n },
  ]);
});

test('a pending transfer counts as money out, a returned one does not', () => {
  const external = { type: 'external-transfer', sender: me } as const;
  const [group] = groupByMonth(
    [
      row('2026-11-20T12:00:00Z', 100, { ...external, status: 'pending' }),
      row('2026-11-19T12:00:00Z', 420, { ...external, status: 'failed' }),
    ],
    'me',
    now,
  );
  expect(group).toMatchObject({ inCents: 0n, outCents: 10_000n });
});

test('a month of another year includes the year', () => {
  expect(groupByMonth([row('2025-11-20T12:00:00Z', 1, { receiver: me })], 'me', now)[0]?.title).toBe(
    'November 2025',
  );
});

test('without rows there are no months', () => {
  expect(groupByMonth([], 'me', now)).toEqual([]);
});
