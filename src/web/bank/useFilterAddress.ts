/**
 * Keeps the filters and the page of a transaction list in the URL. Query parameters that are neither filters nor in `kept` are
 * dropped.
 */
import { useEffect, useRef } from 'react';
import { useSearchParams } from '#web/router/hooks.ts';
import { type FilterRules, type Filters, readFilters, writeFilters } from './transactionFilters.ts';

/** `kept`: the names of parameters that stay in the URL. */
export function useFilterAddress(kept: readonly string[] = [], rules?: FilterRules) {
  const [address, setAddress] = useSearchParams();
  const { filters, page } = readFilters(address, rules);
  // A second change may come before the URL shows the first, so every change starts from the last requested filters.
  const requested = useRef(filters);
  useEffect(() => {
    requested.current = readFilters(address, rules).filters;
  }, [address, rules]);

  const written = (wanted: Filters, wantedPage = 1) => {
    const next = writeFilters(wanted, wantedPage);
    for (const name of kept) {
      const value = address.get(name);
      if (value) next.set(name, value);
    }
    return next;
  };
  return {
    filters,
    page,
    filtered: writeFilters(filters).size > 0,
    /** Changes filters and goes to the first page. */
    change: (changed: Partial<Filters>) => {
      requested.current = { ...requested.current, ...changed };
      setAddress(written(requested.current), { replace: true, preventScrollReset: true });
    },
    turnTo: (next: number) => {
      setAddress(written(filters, next), { preventScrollReset: kept.length > 0 });
    },
    /** Goes to the last page from a page that no longer exists, without a history entry. */
    turnBackTo: (last: number) => {
      setAddress(written(filters, last), { replace: true, preventScrollReset: true });
    },
  };
}
