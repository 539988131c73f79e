/** The status column of the list of all transactions. */
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { makeStore } from '#web/base/store.ts';
import { renderWith } from '../../../../../tests/renderWith.tsx';
import { aTransaction } from '../../../../../tests/transactions.ts';
import { transactionColumns } from './transactionColumns.tsx';
import { railText } from './transactionSides.ts';

test('staff read "Held" in the row of a payment that a freeze holds, as in the filter that finds it [BR-42]', () => {
  const status = transactionColumns(() => ({ search: '' })).find(({ key }) => key === 'status')!;
  const payment = aTransaction({ type: 'external-transfer', status: 'pending' });
  renderWith(
    makeStore(),
    <>
      {status.cell({ ...payment, isHeld: true })}
      {status.cell(payment)}
    </>,
  );
  expect(screen.getByText('Held')).toBeTruthy();
  expect(screen.getByText('Pending')).toBeTruthy();
  // A held payment is not on its way, so only the other one has the line about it.
  expect(screen.getAllByText(railText('pending'))).toHaveLength(1);
});

test('staff read "Reversed" below the status of a transaction that was reversed, and only there [ST-91]', () => {
  const status = transactionColumns(() => ({ search: '' })).find(({ key }) => key === 'status')!;
  const credit = aTransaction({ type: 'admin-credit', status: 'completed' });
  renderWith(
    makeStore(),
    <>
      {status.cell({ ...credit, reversedBy: 't2' })}
      {status.cell(credit)}
    </>,
  );
  expect(screen.getAllByText('Completed')).toHaveLength(2);
  expect(screen.getAllByText('Reversed')).toHaveLength(1);
});
