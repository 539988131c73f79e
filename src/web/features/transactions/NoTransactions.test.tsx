/** What a customer reads instead of an empty list of transactions. */
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { noFilters } from '#web/bank/transactionFilters.ts';
import { renderLoggedIn } from '../../../../tests/renderWith.tsx';
import { NoTransactions } from './NoTransactions.tsx';

test.each([
  ['2026-11-20', '2026-11-01', 'The start date is after the end date.'],
  ['2026-11-01', '2026-11-20', 'No transactions match these filters.'],
  ['2026-11-20', '', 'No transactions match these filters.'],
])(
  'a customer who filters from %s to "%s" reads why nothing is found: %s [X-03]',
  (startDate, endDate, said) => {
    renderLoggedIn(
      <NoTransactions filtered filters={{ ...noFilters, startDate, endDate }} onClear={vi.fn()} />,
    );
    expect(screen.getByText(said)).toBeTruthy();
  },
);
