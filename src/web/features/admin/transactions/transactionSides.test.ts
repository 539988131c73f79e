/** How the panel names the sender and the receiver of a transaction. */
import { describe, expect, test } from 'vitest';
import { aTransaction } from '../../../../../tests/transactions.ts';
import { otherBankOf, payeeOf, payerOf } from './transactionSides.ts';

const noor = { _id: 'n', firstName: 'Noor', lastName: 'Haddad' };
const bankDetails = { bankName: 'Citibank', accountName: 'N. Haddad', accountNumber: '7760918264' };

describe('a transaction in the panel', () => {
  test('comes from System when it has no sender', () => {
    const credit = aTransaction({ type: 'admin-credit', receiver: noor });
    expect([payerOf(credit), payeeOf(credit)]).toEqual(['System', 'Noor Haddad']);
  });

  test('comes from the sender and their bank when it is a deposit', () => {
    const deposit = aTransaction({ type: 'deposit', receiver: noor, externalBankDetails: bankDetails });
    expect([payerOf(deposit), payeeOf(deposit)]).toEqual(['N. Haddad · Citibank', 'Noor Haddad']);
  });

  test('goes to System when it carries the last balance of a closed account', () => {
    const closed = { _id: 'c', firstName: 'Closed account', lastName: '' };
    const swept = aTransaction({ sender: closed });
    expect([payerOf(swept), payeeOf(swept)]).toEqual(['Closed account', 'System']);
  });

  test('to another bank goes to the holder there, with bank and account number', () => {
    const external = aTransaction({
      type: 'external-transfer',
      sender: noor,
      externalBankDetails: bankDetails,
    });
    expect([payerOf(external), payeeOf(external)]).toEqual(['Noor Haddad', 'N. Haddad']);
    expect(otherBankOf(external)).toEqual({ bankName: 'Citibank', accountNumber: '7760918264' });
  });

  test('between customers has no bank details, even if the record contains some', () => {
    expect(otherBankOf(aTransaction({ sender: noor, externalBankDetails: bankDetails }))).toBeUndefined();
  });
});
