/** Every month shows the totals that the bank computed, and no figures until they are loaded. */
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { MonthTotal } from '#contract/entities.ts';
import { RouterProvider } from '#web/router/RouterProvider.tsx';
import { createMemoryRouter } from '../../../../tests/memoryRouter.tsx';
import { amara, aTransaction, ines } from '../../../../tests/transactions.ts';
import { MonthList } from './MonthList.tsx';

const transactions = ['2025-11-20', '2025-10-20'].map(day =>
  aTransaction({ _id: day, timestamp: `${day}T12:00:00Z`, sender: amara, receiver: ines }),
);

function termsIn(totals: MonthTotal[] | undefined): string[] {
  const list = <MonthList transactions={transactions} totals={totals} customerId="me" search="" />;
  render(<RouterProvider router={createMemoryRouter([{ path: '/', element: list }])} />);
  return screen.queryAllByRole('definition').map(({ textContent }) => textContent ?? '');
}

test('a month that continues on another page shows the totals of the whole month [X-19]', () => {
  const totals = [
    { month: '2025-11', in: 4250, out: 1310.5, count: 31 },
    { month: '2025-10', in: 0, out: 99, count: 12 },
  ];
  expect(termsIn(totals)).toEqual(['$4,250.00', '$1,310.50', '$0.00', '$99.00']);
});

test('no figure is shown before the totals are loaded', () => {
  expect(termsIn(undefined)).toEqual([]);
});
