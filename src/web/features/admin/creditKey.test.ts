/** When two presses of the credit button are the same credit, and when they are two. */
import { describe, expect, test } from 'vitest';
import { idempotencyKey } from '#contract/constants.ts';
import { nextKey } from './creditKey.ts';

describe('the key of a press', () => {
  test('is a new one for every press, even for the same credit', () => {
    const first = nextKey(undefined, 'five dollars to Noor');
    expect(nextKey(undefined, 'five dollars to Noor').key).not.toBe(first.key);
  });

  test('is the former one when the answer to the same credit was lost', () => {
    const lost = nextKey(undefined, 'five dollars to Noor');
    expect(nextKey(lost, 'five dollars to Noor').key).toBe(lost.key);
  });

  test('is a new one when the credit was changed after its answer was lost', () => {
    const lost = nextKey(undefined, 'five dollars to Noor');
    expect(nextKey(lost, 'six dollars to Noor').key).not.toBe(lost.key);
  });

  test('has a length the bank accepts', () => {
    const { key } = nextKey(undefined, '');
    expect(key.length).toBeGreaterThanOrEqual(idempotencyKey.minLength);
    expect(key.length).toBeLessThanOrEqual(idempotencyKey.maxLength);
  });
});
