/**
 * The filters of a transaction list in the URL (`?type=transfer&startDate=2026-11-01&page=2`), parsed with the contract's own
 * rules: invalid values are ignored.
 */
import * as z from 'zod/mini';
import { type BankFilter, TransactionFilter } from '#contract/transactions.ts';

/** The list's filters, each a string; empty means all. */
export type Filters = { type: string; status: string; startDate: string; endDate: string; search: string };

const filterNames = ['type', 'status', 'startDate', 'endDate', 'search'] as const satisfies (keyof Filters)[];
export const noFilters: Filters = { type: '', status: '', startDate: '', endDate: '', search: '' };

/** `rules`: the filters of the list's call. */
export type FilterRules = typeof TransactionFilter.shape | typeof BankFilter.shape;

/** Reads the filters and the page (from 1) from the URL. */
export function readFilters(
  address: URLSearchParams,
  rules: FilterRules = TransactionFilter.shape,
): { filters: Filters; page: number } {
  const filters = { ...noFilters };
  for (const name of filterNames) {
    const read = z.safeParse(rules[name], address.get(name) ?? '');
    if (read.success && read.data) filters[name] = read.data;
  }
  const page = z.safeParse(rules.page, address.get('page') ?? '1');
  return { filters, page: page.success ? page.data : 1 };
}

/** The URL's query string for filters and a page; default values are omitted. */
export function writeFilters(filters: Filters, page = 1): URLSearchParams {
  const address = new URLSearchParams();
  for (const name of filterNames) if (filters[name] !== '') address.set(name, filters[name]);
  if (page > 1) address.set('page', String(page));
  return address;
}

/** The query of the call, with the contract's types. */
export function queryOf(filters: Filters, page: number): { page: number } & Partial<TransactionFilter> {
  const given = filterNames.filter(name => filters[name] !== '').map(name => [name, filters[name]]);
  return { ...Object.fromEntries(given), page };
}

/** The number of filters that narrow the list, without the search. */
export function countFilters(filters: Filters): number {
  const { search: _, ...narrowing } = filters;
  return Object.values(narrowing).filter(value => value !== '').length;
}

/** Whether the first day is after the last. Either may be empty. */
export const isWrongRange = ({ startDate, endDate }: Pick<Filters, 'startDate' | 'endDate'>): boolean =>
  endDate !== '' && startDate > endDate;
