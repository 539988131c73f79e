/** The URL contains the filters, and only values that the contract allows. */
import { expect, test } from 'vitest';
import { BankFilter } from '#contract/transactions.ts';
import { countFilters, noFilters, queryOf, readFilters, writeFilters } from './transactionFilters.ts';

test('a filtered list can be bookmarked: filters written to the URL are read back', () => {
  const filters = {
    ...noFilters,
    type: 'external-transfer',
    startDate: '2026-11-01',
    search: 'Brandt & Söhne',
  };
  const address = writeFilters(filters, 3);
  expect(readFilters(new URLSearchParams(address.toString()))).toEqual({ filters, page: 3 });
});

test('a list without filters has a URL without a query', () => {
  expect(writeFilters(noFilters).toString()).toBe('');
});

test('an invalid filter value in the URL is ignored and never sent to the bank', () => {
  const address = new URLSearchParams('type=robbery&status=pending&startDate=2026-02-30&page=-2&search=');
  const { filters, page } = readFilters(address);
  expect(queryOf(filters, page)).toEqual({ status: 'pending', page: 1 });
});

test('the URL can ask for held payments only in the lists of staff [SD-13]', () => {
  const address = new URLSearchParams('status=held');
  expect(readFilters(address, BankFilter.shape).filters.status).toBe('held');
  expect(readFilters(address).filters.status).toBe('');
});

test('the search is not counted among the filters', () => {
  expect(countFilters({ ...noFilters, status: 'failed', search: 'x' })).toBe(1);
});
