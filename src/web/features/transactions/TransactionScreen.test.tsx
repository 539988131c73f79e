/** One transaction: rows without a value are left out. */
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { wren } from '../../../../tests/sessions.ts';
import { aTransaction } from '../../../../tests/transactions.ts';
import { TransactionFacts } from './TransactionFacts.tsx';

test('a deposit whose sender gave no account number has no row for it', () => {
  const timestamp = '2026-11-20T12:00:00.000Z';
  const deposit = {
    ...aTransaction({ type: 'deposit', timestamp }),
    timeline: [{ step: 'posted' as const, at: timestamp }],
    externalBankDetails: { bankName: 'Wells Fargo', accountName: 'Fernhill Clinic', accountNumber: '' },
  };
  render(<TransactionFacts transaction={deposit} customer={wren} />);
  const labels = screen.getAllByRole('term').map(term => term.textContent);
  expect(labels).toContain('Bank');
  expect(labels).not.toContain('Account');
});
