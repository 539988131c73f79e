/** The history of a transaction as a customer and the bank see it. */
import { expect, test } from 'vitest';
import type { TransactionStory } from '#contract/entities.ts';
import { aTransaction } from '../../../tests/transactions.ts';
import { tellStory } from './transactionStory.ts';

const later = '2026-11-25T12:00:00.000Z';
const plain = aTransaction({ amount: 12.34 });
const at = plain.timestamp;
const sent: TransactionStory = { ...plain, timeline: [{ step: 'posted', at }] };
const external: TransactionStory = {
  ...sent,
  type: 'external-transfer',
  status: 'pending',
  externalBankDetails: { bankName: 'UBS', accountName: 'Alpenverlag Thun', accountNumber: 'CH56' },
};

test('money between customers arrives immediately', () => {
  expect(tellStory(sent, 'sender')).toEqual([
    { state: 'done', title: 'Sent', at, notes: ['It arrived right away.'] },
  ]);
  expect(tellStory(sent, 'receiver')).toMatchObject([{ title: 'Received', at }]);
  expect(tellStory({ ...sent, type: 'deposit' }, 'bank')).toMatchObject([{ title: 'Received', at }]);
  expect(tellStory({ ...sent, type: 'admin-credit' }, 'receiver')).toMatchObject([
    { title: 'Credited by the bank' },
  ]);
});

test('the history of a transaction that was reversed ends with the reversal and its time [SD-06]', () => {
  const reversed = { ...sent, type: 'admin-credit', reversedBy: 't9', reversedAt: later } as const;
  expect(tellStory(reversed, 'bank')).toEqual([
    { state: 'done', title: 'Credited by the bank', at, notes: [] },
    { state: 'back', title: 'Reversed by the bank', at: later, notes: [] },
  ]);
});

test('the sender of a transfer to another bank sees by which day it should arrive', () => {
  expect(tellStory({ ...external, expectedBy: '2026-12-01' }, 'sender')).toEqual([
    { state: 'done', title: 'Left your balance', at, notes: [] },
    { state: 'next', title: 'Expected by Tue, Dec 1, 2026', notes: ['3-7 business days'] },
  ]);
  expect(tellStory(external, 'sender')).toMatchObject([{}, { state: 'next', title: 'On its way' }]);
});

test('the sender and the bank see no expected day for a payment that a freeze holds', () => {
  const held = { ...external, expectedBy: '2026-12-01', isHeld: true };
  const waits = { state: 'next', notes: [] };
  const title = 'Waits until your account is unfrozen';
  expect(tellStory(held, 'sender')[1]).toEqual({ ...waits, title });
  expect(tellStory(held, 'bank')[1]).toEqual({ ...waits, title: 'Waits until the account is unfrozen' });
});

test('the history ends once the money has arrived at another bank', () => {
  const timeline = [...external.timeline, { step: 'settled' as const, at: later }];
  expect(tellStory({ ...external, status: 'completed', timeline }, 'sender')).toMatchObject([
    { title: 'Left your balance' },
    { state: 'done', title: 'Arrived at UBS', at: later, notes: [] },
  ]);
});

test('returned money shows the reason or that the sender canceled, and that the money is in the balance again', () => {
  const timeline = [...external.timeline, { step: 'returned' as const, at: later }];
  const returned = { ...external, status: 'failed' as const, timeline };
  expect(tellStory({ ...returned, returnReason: 'Unknown account' }, 'sender')[1]).toEqual({
    state: 'back',
    title: 'Returned',
    at: later,
    notes: ['Reason: Unknown account', 'The money was returned to your balance.'],
  });
  expect(tellStory(returned, 'sender')[1]?.notes).toEqual(['The money was returned to your balance.']);
  // 'Cancelled' is the API's spelling.
  expect(tellStory({ ...returned, returnReason: 'Cancelled' }, 'sender')[1]).toMatchObject({
    title: 'Canceled',
    notes: ['The money was returned to your balance.'],
  });
});

test('the bank sees whose balance the money left and whose balance it returned to', () => {
  const sender = { _id: 's', firstName: 'Ines', lastName: 'Caldeira' };
  const timeline = [...external.timeline, { step: 'returned' as const, at: later }];
  const returned = {
    ...external,
    sender,
    status: 'failed' as const,
    timeline,
    returnReason: 'Unknown account',
  };
  expect(tellStory(returned, 'bank')).toEqual([
    { state: 'done', title: 'Left Ines Caldeira’s balance', at, notes: [] },
    {
      state: 'back',
      title: 'Returned',
      at: later,
      notes: ['Reason: Unknown account', 'The money was returned to Ines Caldeira.'],
    },
  ]);
  expect(tellStory({ ...returned, sender: undefined }, 'bank')).toMatchObject([
    { title: 'Left the unclaimed balances' },
    { notes: ['Reason: Unknown account', 'The money was returned to the unclaimed balances.'] },
  ]);
});

test('the bank sees whether the payment of a closed account came back before the closing or went to the unclaimed balances [SD-22]', () => {
  const timeline = [...external.timeline, { step: 'returned' as const, at: later }];
  const sender = { _id: 's', firstName: 'Closed account', lastName: '' };
  const returned = { ...external, sender, status: 'failed' as const, timeline };
  expect(tellStory({ ...returned, returnedToUnclaimed: true }, 'bank')[1]?.notes).toEqual([
    'The money was returned to the unclaimed balances.',
  ]);
  expect(tellStory(returned, 'bank')[1]?.notes).toEqual([
    'The money was returned to the customer. The account was closed later.',
  ]);
});

test('a reversal, and money that moved to the unclaimed balances, do not read as sent [ST-91, SD-22]', () => {
  for (const side of ['sender', 'receiver', 'bank'] as const)
    expect(tellStory({ ...sent, type: 'reversal' }, side)).toEqual([
      { state: 'done', title: 'Reversed by the bank', at, notes: [] },
    ]);
  const title = 'Moved to the unclaimed balances';
  expect(tellStory(sent, 'bank')).toEqual([{ state: 'done', title, at, notes: [] }]);
});
