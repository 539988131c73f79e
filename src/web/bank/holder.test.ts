/** Which account numbers are looked up. */
import { expect, test } from 'vitest';
import { luhnCheckDigit } from '#contract/accountNumber.ts';
import { canLookUp } from './holder.ts';

const good = `73051184229${luhnCheckDigit('73051184229')}`;
const swapped = good.replace('84', '48');

test('only a complete number with the right check digit is looked up [T-08, T-09]', () => {
  const lookedUp = ['', good.slice(0, 11), swapped, good].map(number => canLookUp(number, '482109375527'));
  expect(lookedUp).toEqual([false, false, false, true]);
});

test('a customer’s own number is not looked up', () => {
  expect(canLookUp(good, good)).toBe(false);
});
