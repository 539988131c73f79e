/** What a customer and the bank read of a transaction's way. */
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

test('money between customers arrives at once', () => {
  expect(tellStory(sent, 'sender')).toEqual([
    { state: 'done', title: 'Sent', at, notes: ['It arrived at once.'] },
  ]);
  expect(tellStory(sent, 'receiver')).toMatchObject([{ title: 'Received', at }]);
  expect(tellStory({ ...sent, type: 'admin-credit' }, 'receiver')).toMatchObject([
    { title: 'Credited by the bank' },
  ]);
});

test('who has sent money to another bank reads by which day it should arrive', () => {
  expect(tellStory({ ...external, expectedBy: '2026-12-01' }, 'sender')).toEqual([
    { state: 'done', title: 'Left your balance', at, notes: [] },
    { state: 'next', title: 'Expected by Tue, 1 Dec 2026', notes: ['3-7 business days'] },
  ]);
  expect(tellStory(external, 'sender')).toMatchObject([{}, { state: 'next', title: 'On its way' }]);
});

test('money that arrived at another bank ends its story there', () => {
  const timeline = [...external.timeline, { step: 'settled' as const, at: later }];
  expect(tellStory({ ...external, status: 'completed', timeline }, 'sender')).toMatchObject([
    { title: 'Left your balance' },
    { state: 'done', title: 'Arrived at UBS', at: later, notes: [] },
  ]);
});

test('money that came back says why, and that it is in the balance again', () => {
  const timeline = [...external.timeline, { step: 'returned' as const, at: later }];
  const returned = { ...external, status: 'failed' as const, timeline };
  expect(tellStory({ ...returned, returnReason: 'Unknown account' }, 'sender')[1]).toEqual({
    state: 'back',
    title: 'Returned',
    at: later,
    notes: ['Reason: Unknown account', 'The money is in your balance again.'],
  });
  expect(tellStory(returned, 'sender')[1]?.notes).toEqual(['The money is in your balance again.']);
});

test('the bank reads whose balance it left and where it is again', () => {
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
    { state: 'done', title: 'Left the balance of Ines Caldeira', at, notes: [] },
    {
      state: 'back',
      title: 'Returned',
      at: later,
      notes: ['Reason: Unknown account', 'The money is in the balance of Ines Caldeira again.'],
    },
  ]);
  const closed = { ...sender, firstName: 'Closed', lastName: 'account' };
  expect(tellStory({ ...returned, sender: closed }, 'bank')[1]?.notes[1]).toMatch('unclaimed balances');
});
