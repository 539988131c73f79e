// @vitest-environment jsdom
/** A month shows its totals only if the page contains all of its rows. */
import { cleanup, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, test } from 'vitest';
import { amara, aTransaction, ines } from '../../../../tests/transactions.ts';
import { MonthList, type MonthListProps } from './MonthList.tsx';

const three = ['2025-11-20', '2025-10-20', '2025-09-20'].map(day =>
  aTransaction({ _id: day, timestamp: `${day}T12:00:00Z`, sender: amara, receiver: ines }),
);

afterEach(cleanup);

/** The months that show totals. */
function summedUp(at: Pick<MonthListProps, 'whole' | 'isFirstPage' | 'isLastPage'>): string[] {
  const list = <MonthList transactions={three} customerId="me" search="" {...at} />;
  render(<RouterProvider router={createMemoryRouter([{ path: '/', element: list }])} />);
  return screen
    .getAllByRole('region')
    .filter(month => month.querySelector('dl'))
    .map(month => month.getAttribute('aria-label') ?? '');
}

test('a customer whose transactions fit one page sees the totals of every month', () => {
  expect(summedUp({ whole: true, isFirstPage: true, isLastPage: true })).toEqual([
    'November 2025',
    'October 2025',
    'September 2025',
  ]);
});

test('a month that may continue on another page has no totals', () => {
  expect(summedUp({ whole: true, isFirstPage: true, isLastPage: false })).toEqual([
    'November 2025',
    'October 2025',
  ]);
  cleanup();
  expect(summedUp({ whole: true, isFirstPage: false, isLastPage: false })).toEqual(['October 2025']);
});

test('a filtered list has no totals', () => {
  expect(summedUp({ whole: false, isFirstPage: true, isLastPage: true })).toEqual([]);
});
