/** The amounts along an axis share one format. */
import { expect, test } from 'vitest';
import { ticksUnder } from '#web/ui/chartScale.ts';
import { axisDollars } from './axisDollars.ts';

test.each([
  [11_000, ['$5K', '$10K']],
  [9_000, ['$4,000', '$8,000']],
  [54_000, ['$25K', '$50K']],
  [1_100_000, ['$0.5M', '$1M']],
  [2.4, ['$1', '$2']],
  [1.2, ['$0.50', '$1.00']],
])('the labels of an axis up to %d share one format', (max, texts) => {
  expect(axisDollars(ticksUnder(max)).map(({ text }) => text)).toEqual(texts);
});
