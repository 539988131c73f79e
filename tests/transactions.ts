/** A sample transaction in the API's format, and two sample customers, for tests of the web app. */
import type { Transaction } from '#contract/entities.ts';

export const amara = { _id: 'me', firstName: 'Amara', lastName: 'Lindqvist' };
export const ines = { _id: 'ines', firstName: 'Ines', lastName: 'Caldeira' };

/** A completed transfer of 5 dollars; `part` overrides its fields. */
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
