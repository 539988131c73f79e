/** The texts of a customer's transactions, by the rules of chapter 2 of the specification. */
import { expect, test } from 'vitest';
import type { Transaction } from '#contract/entities.ts';
import { aTransaction, ines, amara as me } from '../../../tests/transactions.ts';
import { readTransaction } from './transactionReading.ts';

const plain = aTransaction({ amount: 12.34 });
const external: Transaction = {
  ...plain,
  type: 'external-transfer',
  sender: me,
  externalBankDetails: { bankName: 'UBS', accountName: 'Alpenverlag Thun', accountNumber: 'CH56' },
};
const read = (changed: Partial<Transaction>) => readTransaction({ ...plain, ...changed }, 'me');

test('the receiver sees Money Received, from the sender [X-11, X-12, X-15]', () => {
  const reading = read({ sender: ines, receiver: me, description: 'Rent' });
  expect(reading).toMatchObject({ direction: 'in', received: true, title: 'Money Received' });
  expect(reading).toMatchObject({ party: 'From: Ines Caldeira', note: 'Rent', statusText: 'Completed' });
  expect(reading.amountCents).toBe(1234n);
});

test('a customer who is not the receiver sees Money Sent, to the receiver [X-11, X-12, X-15]', () => {
  expect(read({ sender: me, receiver: ines })).toMatchObject({
    direction: 'out',
    received: false,
    title: 'Money Sent',
    party: 'To: Ines Caldeira',
  });
});

test('the amount of a reversed credit goes to the bank [X-12]', () => {
  expect(read({ type: 'reversal', sender: me })).toMatchObject({
    title: 'Reversal',
    party: 'To: Larkspur Bank',
  });
});

test('money without a sender comes from System [X-16]', () => {
  expect(read({ receiver: me }).party).toBe('From: System');
});

test('a credit by the bank is titled Admin Credit and is incoming [X-12, X-13]', () => {
  expect(read({ type: 'admin-credit', receiver: me })).toMatchObject({
    direction: 'credit',
    received: true,
    title: 'Admin Credit',
    party: 'From: System',
  });
});

test('an external transfer shows bank, holder and number, and is outgoing [X-12, X-13, X-14]', () => {
  expect(readTransaction(external, 'me')).toMatchObject({
    direction: 'bank',
    received: false,
    title: 'External Transfer to UBS',
    party: 'To: Alpenverlag Thun (CH56)',
    void: false,
  });
});

test('a pending external transfer shows how long it takes instead of its description [X-17]', () => {
  const reading = readTransaction({ ...external, status: 'pending', description: 'Two atlases' }, 'me');
  expect(reading).toMatchObject({ note: '3-7 business days', statusText: 'Pending' });
});

test('a payment that a freeze holds says what it waits for, not how long it takes [BR-42]', () => {
  const reading = readTransaction({ ...external, status: 'pending', isHeld: true }, 'me');
  expect(reading).toMatchObject({ note: 'Waits until your account is unfrozen', statusText: 'Pending' });
});

test('a returned external transfer reads Failed, Returned, with its amount struck through [X-18]', () => {
  const reading = readTransaction({ ...external, status: 'failed' }, 'me');
  expect(reading).toMatchObject({ direction: 'returned', statusText: 'Failed, Returned', void: true });
});

test('a payment that the sender canceled reads Canceled, as in its history [X-18]', () => {
  const canceled = { ...external, status: 'failed', returnReason: 'Cancelled' } as const;
  expect(readTransaction(canceled, 'me').statusText).toBe('Failed, Canceled');
});

test('money sent to a deleted account shows a closed account', () => {
  expect(read({ sender: me }).party).toBe('To: Closed account');
});
