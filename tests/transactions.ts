/** A transaction in tests of the browser's side, as the bank tells of it, and two people who have a part in some. */
import type { Transaction } from '#contract/entities.ts';

export const amara = { _id: 'me', firstName: 'Amara', lastName: 'Lindqvist' };
export const ines = { _id: 'ines', firstName: 'Ines', lastName: 'Caldeira' };

/** A transfer that arrived, as far as nothing else is said of it. */
export function aTransaction(part: Partial<Transaction> = {}): Transaction {
  return {
    _id: 't',
    reference: 'R',
    type: 'transfer',
    status: 'completed',
    amount: 5,
    timestamp: '2026-11-20T12:00:00.000Z',
    description: '',
    ...part,
  };
}
