/** When two presses of the credit button are a retry of one credit, and when they are two credits. */
import { describe, expect, test } from 'vitest';
import { idempotencyKey } from '#contract/constants.ts';
import { pressCredit } from './creditCustomer.ts';

const fiveToNoor = { userAccountNumber: '482109375527', amount: 5, description: 'Gift' };

describe('the key of a press', () => {
  test('is new for the same credit once the earlier press was answered', () => {
    const first = pressCredit([], 'a1', fiveToNoor);
    expect(pressCredit([], 'a1', fiveToNoor).key).not.toBe(first.key);
  });

  test('is reused when the answer to the same credit was lost', () => {
    const lost = pressCredit([], 'a1', fiveToNoor);
    const other = pressCredit([], 'a1', { ...fiveToNoor, amount: 7 });
    expect(pressCredit([lost, other], 'a1', { ...fiveToNoor }).key).toBe(lost.key);
  });

  test.each([{ amount: 6 }, { description: 'Another gift' }, { userAccountNumber: '730511842298' }])(
    'is new when the credit was changed after its answer was lost',
    changed => {
      const lost = pressCredit([], 'a1', fiveToNoor);
      expect(pressCredit([lost], 'a1', { ...fiveToNoor, ...changed }).key).not.toBe(lost.key);
    },
  );

  test('has a length the bank accepts', () => {
    const { key } = pressCredit([], 'a1', fiveToNoor);
    expect(key.length).toBeGreaterThanOrEqual(idempotencyKey.minLength);
    expect(key.length).toBeLessThanOrEqual(idempotencyKey.maxLength);
  });
});
