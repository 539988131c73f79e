/** What the things of the specification's chapter 3 show of themselves, and that nothing else leaves with them. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { adminApi } from './admin.ts';
import { LoggedInCustomer } from './auth.ts';
import {
  Administrator,
  Customer,
  gender,
  PendingApproval,
  Stats,
  Transaction,
  TransactionPage,
  transactionStatuses,
  transactionTypes,
  UnverifiedId,
  User,
} from './entities.ts';

const fieldsOf = (schema: { shape: object }) => Object.keys(schema.shape).sort();

const customer = [
  '_id',
  'accountNumber',
  'address',
  'avatar',
  'balance',
  'email',
  'firstName',
  'gender',
  'idCard',
  'isApproved',
  'isFrozen',
  'isVerified',
  'lastName',
  'middleName',
  'phoneNumber',
  'region',
  'zipCode',
];

describe('what travels', () => {
  test('a customer shows all but the password [E-03]', () => {
    expect(fieldsOf(Customer)).toEqual(customer);
    expect([...gender]).toEqual(['male', 'female']);
  });

  test('a customer who has just logged in has a token too [E-01]', () => {
    expect(fieldsOf(LoggedInCustomer)).toEqual([...customer, 'token'].sort());
  });

  test('a transaction [E-04]', () => {
    expect(fieldsOf(Transaction)).toEqual([
      '_id',
      'amount',
      'description',
      'externalBankDetails',
      'receiver',
      'reference',
      'sender',
      'status',
      'timestamp',
      'type',
    ]);
  });

  test('a transaction is of one of three types and in one of three states [E-05, E-06]', () => {
    expect([...transactionTypes]).toEqual(['transfer', 'admin-credit', 'external-transfer']);
    expect([...transactionStatuses]).toEqual(['completed', 'pending', 'failed']);
  });

  test("the figures of a customer's account [E-10]", () => {
    expect(fieldsOf(Stats)).toEqual(['totalReceived', 'totalSent', 'totalTransactions']);
  });

  test('a page of transactions [C-50]', () => {
    expect(fieldsOf(TransactionPage)).toEqual([
      'currentPage',
      'stats',
      'totalPages',
      'totalTransactions',
      'transactions',
    ]);
  });

  test("an administrator's session [E-17]", () => {
    expect(fieldsOf(Administrator)).toEqual(['_id', 'email', 'name', 'token']);
  });

  test('a customer as an administrator sees it [E-18]', () => {
    expect(fieldsOf(User)).toEqual([
      '_id',
      'accountNumber',
      'address',
      'avatar',
      'balance',
      'createdAt',
      'email',
      'firstName',
      'idCard',
      'isFrozen',
      'isVerified',
      'lastName',
      'phoneNumber',
      'profileImage',
    ]);
  });

  test("the administrators' list of transactions and its figures [E-19, E-20]", () => {
    // Beside the four of every page, what a search says of itself.
    expect(fieldsOf(adminApi.adminTransactions.data)).toEqual([
      'completeSince',
      'currentPage',
      'isCut',
      'totalPages',
      'totalTransactions',
      'transactions',
    ]);
    expect(fieldsOf(adminApi.adminStats.data)).toEqual(['successRate', 'totalAmount', 'totalTransactions']);
  });

  test('somebody waiting for approval [E-21]', () => {
    expect(fieldsOf(PendingApproval)).toEqual(['_id', 'accountNumber', 'email', 'firstName', 'lastName']);
  });

  test('somebody whose ID is not verified [E-22]', () => {
    expect(fieldsOf(UnverifiedId)).toEqual(['_id', 'createdAt', 'email', 'firstName', 'idCard', 'lastName']);
  });
});

describe('what leaves', () => {
  const entry = {
    _id: '018f3c1e-7a4b-7c2d-9e10-3b5f6a7c8d9e',
    reference: 'LB-7Q2M',
    type: 'transfer',
    status: 'completed',
    amount: 25_000n,
    timestamp: new Date(Date.UTC(2026, 2, 9, 17, 5)),
    receiver: { _id: '018f3c1e-7a4b-7c2d-9e10-3b5f6a7c8d9f', firstName: 'Ines', lastName: 'Caldeira' },
    description: '',
  } as const;

  test('a transaction leaves in dollars and ISO time, and may have no sender [E-07, E-08]', () => {
    expect(z.encode(Transaction, entry)).toEqual({
      ...entry,
      amount: 250,
      timestamp: '2026-03-09T17:05:00.000Z',
    });
  });

  test('of another person only the name leaves, never balance or email', () => {
    const gossip = { ...entry.receiver, balance: 5n, email: 'ines@larkspur.example' };
    expect(z.encode(Transaction, { ...entry, receiver: gossip, senderBalance: 1n } as never)).toEqual({
      ...entry,
      amount: 250,
      timestamp: '2026-03-09T17:05:00.000Z',
    });
  });

  test("another bank's account leaves with bank, holder and number [E-09]", () => {
    const details = { bankName: 'UBS', accountName: 'Ada Brandt', accountNumber: 'CH9300762011623852957' };
    const encoded = z.encode(Transaction, {
      ...entry,
      externalBankDetails: { ...details, swift: 'X' },
    } as never);
    expect(encoded.externalBankDetails).toEqual(details);
  });

  test('a password never leaves, whatever a handler gives [E-03]', () => {
    const given = {
      ...Object.fromEntries(customer.map(name => [name, 'x'])),
      gender: 'female',
      avatar: { url: '/a' },
      idCard: null,
      isApproved: true,
      isVerified: true,
      isFrozen: false,
      balance: 0n,
      password: '480213',
      passwordHash: '$argon2id$',
      token: 'secret',
    };
    expect(Object.keys(z.encode(Customer, given as never)).sort()).toEqual(customer);
  });
});
