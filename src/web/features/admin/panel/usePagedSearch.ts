/**
 * The page and the search of a list of customers. The search stays in memory, because it can be a name. The page and further
 * parameters (`parts`: filters and order) are in the URL. Search and page are debounced.
 */
import { useMemo, useState } from 'react';
import { admin as limits, maxLength } from '#contract/constants.ts';
import { useSearchParams } from '#web/router/hooks.ts';
import { useSettled } from './useSettled.ts';
import { pageFromAddress, viewAddress } from './viewAddress.ts';

type Parts = readonly (readonly [string, string])[];

export function usePagedSearch(view: string, parts: Parts = []) {
  const [address, setAddress] = useSearchParams();
  const [search, setSearchText] = useState('');
  const page = pageFromAddress(address);
  const wanted = useMemo(() => ({ page, search: search.trim() }), [page, search]);
  const settled = useSettled(wanted, limits.searchDebounceMs);
  const isSettling = settled.page !== wanted.page || settled.search !== wanted.search;

  const go = (next: number, replace: boolean, nextParts: Parts = parts) =>
    setAddress(viewAddress(view, next, nextParts).search, { preventScrollReset: true, replace });
  const setSearch = (text: string) => {
    setSearchText(text.slice(0, maxLength.search));
    if (page > 1) go(1, true);
  };
  return {
    page,
    search,
    setSearch,
    /** The debounced page and search, for the query. */
    settled,
    isSettling,
    showPage: (next: number) => go(next, next < page),
    /** Goes to another page or order without a new entry in the browser history. */
    replace: (next: number, nextParts?: Parts) => go(next, true, nextParts),
  };
}
