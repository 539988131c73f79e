/** The details of one transaction. */
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { TransactionDetail } from '#contract/entities.ts';
import { wren } from '../../../../tests/sessions.ts';
import { aTransaction } from '../../../../tests/transactions.ts';
import { TransactionFacts } from './TransactionFacts.tsx';

const sentAt = '2026-11-20T12:00:00.000Z';
const payment: TransactionDetail = {
  ...aTransaction({
    type: 'external-transfer',
    externalBankDetails: { bankName: 'Barclays', accountName: 'Hollis Vane', accountNumber: '73120841' },
  }),
  balanceAfter: 95,
  timeline: [{ step: 'posted', at: sentAt }],
};
const labels = () => screen.getAllByRole('term').map(term => term.textContent);

test('the balance is labeled "Balance after"; for a returned payment, "Balance after sending" [X-18]', () => {
  const { rerender } = render(<TransactionFacts transaction={payment} customer={wren} />);
  expect(labels().at(-1)).toBe('Balance after');
  const timeline = [...payment.timeline, { step: 'returned', at: sentAt } as const];
  rerender(<TransactionFacts transaction={{ ...payment, status: 'failed', timeline }} customer={wren} />);
  expect(labels().at(-1)).toBe('Balance after sending');
});

test('a deposit has a row for the bank and for the account number only if they were given', () => {
  const deposit: TransactionDetail = {
    ...aTransaction({
      type: 'deposit',
      externalBankDetails: { bankName: 'Wells Fargo', accountName: 'Fernhill Clinic', accountNumber: '' },
    }),
    timeline: [{ step: 'posted', at: sentAt }],
  };
  const { rerender } = render(<TransactionFacts transaction={deposit} customer={wren} />);
  expect(labels()).toContain('Bank');
  expect(labels()).not.toContain('Account');
  const externalBankDetails = { ...deposit.externalBankDetails!, bankName: '' };
  rerender(<TransactionFacts transaction={{ ...deposit, externalBankDetails }} customer={wren} />);
  expect(labels()).not.toContain('Bank');
});
