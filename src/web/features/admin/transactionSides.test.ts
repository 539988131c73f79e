/** How the bank itself reads a transaction. */
import { describe, expect, test } from 'vitest';
import type { Transaction } from '#contract/entities.ts';
import { otherBankOf, payeeOf, payerOf } from './transactionSides.ts';

const noor = { _id: 'n', firstName: 'Noor', lastName: 'Haddad' };
const transaction = (part: Partial<Transaction>): Transaction => ({
  _id: 't',
  reference: 'LB-TEST',
  type: 'transfer',
  status: 'completed',
  amount: 5,
  timestamp: '2026-11-20T18:05:00.000Z',
  description: '',
  ...part,
});
const bankDetails = { bankName: 'Citibank', accountName: 'N. Haddad', accountNumber: '7760918264' };

describe('a transaction in the panel', () => {
  test('comes from System when nobody sent it', () => {
    const credit = transaction({ type: 'admin-credit', receiver: noor });
    expect([payerOf(credit), payeeOf(credit)]).toEqual(['System', 'Noor Haddad']);
  });

  test('goes to System when it is what a closed account still held', () => {
    const closed = { _id: 'c', firstName: 'Closed account', lastName: '' };
    const swept = transaction({ sender: closed });
    expect([payerOf(swept), payeeOf(swept)]).toEqual(['Closed account', 'System']);
  });

  test('to another bank goes to the holder there, with bank and account number', () => {
    const external = transaction({
      type: 'external-transfer',
      sender: noor,
      externalBankDetails: bankDetails,
    });
    expect([payerOf(external), payeeOf(external)]).toEqual(['Noor Haddad', 'N. Haddad']);
    expect(otherBankOf(external)).toEqual({ bankName: 'Citibank', accountNumber: '7760918264' });
  });

  test('between customers has no bank details, whatever it carries', () => {
    expect(otherBankOf(transaction({ sender: noor, externalBankDetails: bankDetails }))).toBeUndefined();
  });
});
