/** The notice about the limits of a search over all transactions: empty if the search was complete. */
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { SearchLimits } from './SearchLimits.tsx';

test('a complete search shows no notice', () => {
  const { container } = render(<SearchLimits totalTransactions={12} />);
  expect(container.textContent).toBe('');
});

test('an administrator reads that there are more matches than listed, how far back the search is complete, and what to do', () => {
  render(<SearchLimits totalTransactions={1000} isCut completeSince="2026-10-06T16:35:00Z" />);
  expect(screen.getByText('More than 1,000 match. The newest 1,000 are listed.')).toBeTruthy();
  expect(
    screen.getByText(/Not every transaction before Oct 6, 2026, 12:35 PM could be searched/),
  ).toBeTruthy();
  expect(screen.getAllByText(/^Choose dates/)).toHaveLength(2);
});
