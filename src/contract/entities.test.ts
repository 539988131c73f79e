/** The entities of the specification's chapter 3 are encoded with their listed fields and nothing else. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { Customer, Transaction } from './entities.ts';

describe('an answer', () => {
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

  test('has a transaction in dollars and ISO time, even one without a sender [E-07, E-08]', () => {
    expect(z.encode(Transaction, entry)).toEqual({
      ...entry,
      amount: 250,
      timestamp: '2026-03-09T17:05:00.000Z',
    });
  });

  test('has only the id and name of another person, never the balance or email', () => {
    const leaky = { ...entry.receiver, balance: 5n, email: 'ines@larkspur.example' };
    expect(z.encode(Transaction, { ...entry, receiver: leaky, senderBalance: 1n } as never)).toEqual({
      ...entry,
      amount: 250,
      timestamp: '2026-03-09T17:05:00.000Z',
    });
  });

  test("has the bank, holder and number of another bank's account [E-09]", () => {
    const details = { bankName: 'UBS', accountName: 'Ada Brandt', accountNumber: 'CH9300762011623852957' };
    const encoded = z.encode(Transaction, {
      ...entry,
      externalBankDetails: { ...details, swift: 'X' },
    } as never);
    expect(encoded.externalBankDetails).toEqual(details);
  });

  test('never has a password, whatever a handler returns [E-03]', () => {
    const listed = Object.keys(Customer.shape).sort();
    const given = {
      ...Object.fromEntries(listed.map(name => [name, 'x'])),
      gender: 'female',
      avatar: { url: '/a' },
      idCard: null,
      isApproved: true,
      isVerified: true,
      isFrozen: false,
      isIdRequested: true,
      balance: 0n,
      password: '480213',
      passwordHash: '$argon2id$',
      token: 'secret',
    };
    const sent = Object.keys(z.encode(Customer, given as never)).sort();
    expect(sent).toEqual(listed);
    for (const secret of ['password', 'passwordHash', 'token']) expect(sent).not.toContain(secret);
  });
});
