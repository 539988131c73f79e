/**
 * The filters and the page of a list of transactions in the address, as a screen uses them. What else the address says is
 * kept where it is named.
 */
import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { type Filters, readFilters, writeFilters } from './transactionFilters.ts';

/** `kept`: the name of one parameter that every address goes on carrying. */
export function useFilterAddress(kept?: string) {
  const [address, setAddress] = useSearchParams();
  const { filters, page } = readFilters(address);
  // Two changes can come before the address has followed the first: the second starts from what was asked last.
  const asked = useRef(filters);
  useEffect(() => {
    asked.current = readFilters(address).filters;
  }, [address]);

  const written = (wanted: Filters, wantedPage = 1) => {
    const next = writeFilters(wanted, wantedPage);
    const value = kept && address.get(kept);
    if (kept && value) next.set(kept, value);
    return next;
  };
  return {
    filters,
    page,
    filtered: writeFilters(filters).size > 0,
    /** Changes filters and goes to the first page. */
    change: (changed: Partial<Filters>) => {
      asked.current = { ...asked.current, ...changed };
      setAddress(written(asked.current), { replace: true, preventScrollReset: true });
    },
    turnTo: (next: number) => {
      setAddress(written(filters, next), { preventScrollReset: kept !== undefined });
    },
    /** Leaves a page that is no more, without a step in the history. */
    turnBackTo: (last: number) => {
      setAddress(written(filters, last), { replace: true, preventScrollReset: true });
    },
  };
}
