/** The bank list matches chapter 3 of the specification. */
import { expect, test } from 'vitest';
import { bankCountries, banks } from './banks.ts';

test('a customer can choose among 42 different banks in 19 countries [T-12, E-12, E-13]', () => {
  expect(banks).toHaveLength(42);
  expect(new Set(banks.map(bank => bank.name)).size).toBe(42);
  expect(bankCountries.map(({ country }) => country)).toEqual(
    'USA, UK, Germany, France, Spain, Italy, Netherlands, Switzerland, Sweden, Denmark, Japan, China, Singapore, Australia, Canada, Brazil, Nigeria, South Africa, UAE'.split(
      ', ',
    ),
  );
});
