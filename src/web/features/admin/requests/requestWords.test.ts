/** How the list and the title of a request name what it asks for. */
import { expect, test } from 'vitest';
import { summaryOf } from './requestWords.ts';

const person = { _id: 'a1', name: 'Tove Asklund' };
const at = '2026-11-29T14:42:00.000Z';
const reversal = {
  _id: 'r1',
  kind: 'reversal',
  status: 'pending',
  askedBy: person,
  askedAt: at,
  expiresAt: at,
} as const;

test('of two requests to reverse, an operator reads which transactions they are about and who was paid [SD-02]', () => {
  const customer = { _id: 'c1', name: 'Jun Takeda', accountNumber: '482109375527' };
  expect(summaryOf({ ...reversal, reference: 'LB-CT9F', customer })).toBe(
    'Reverse LB-CT9F, paid to Jun Takeda',
  );
  expect(summaryOf({ ...reversal, reference: 'LB-7KQ2' })).toBe('Reverse LB-7KQ2');
  // A server of an earlier version does not send the reference.
  expect(summaryOf({ ...reversal, customer })).toBe('Reverse a transaction');
});
