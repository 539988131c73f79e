/**
 * The page of users to show. The search stays in memory because it contains names; the page number is in the URL. Both are
 * debounced.
 */
import { useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { admin as limits, maxLength, paging } from '#contract/constants.ts';
import { pollingOptions, useUsersQuery } from '../adminCalls.ts';
import { useSettled } from '../panel/useSettled.ts';
import { pageFromAddress, viewAddress } from '../panel/viewAddress.ts';

export function useUsersPage() {
  const [address, setAddress] = useSearchParams();
  const [search, setSearchText] = useState('');
  const page = pageFromAddress(address);
  const wanted = useMemo(() => ({ page, search: search.trim() }), [page, search]);
  const settled = useSettled(wanted, limits.searchDebounceMs);
  const call = {
    query: {
      page: settled.page,
      limit: paging.usersDefault,
      ...(settled.search && { search: settled.search }),
    },
  };
  const { data, currentData, error, isFetching, refetch } = useUsersQuery(call, pollingOptions);

  const showPage = (next: number) =>
    setAddress(viewAddress('users', next).search, { preventScrollReset: true, replace: next < page });
  const setSearch = (text: string) => {
    setSearchText(text.slice(0, maxLength.search));
    if (page > 1) setAddress(viewAddress('users').search, { preventScrollReset: true, replace: true });
  };

  // The last user of the last page was deleted, or the URL names a page that no longer exists.
  const lastPage = Math.max(1, data?.totalPages ?? page);
  const isBeyond = !isFetching && settled === wanted && page > lastPage;
  useEffect(() => {
    if (isBeyond)
      setAddress(viewAddress('users', lastPage).search, { preventScrollReset: true, replace: true });
  }, [isBeyond, lastPage, setAddress]);

  const isSettling = settled.page !== wanted.page || settled.search !== wanted.search;
  return {
    data,
    currentData,
    error,
    isFetching,
    isSettling,
    refetch,
    page,
    lastPage,
    showPage,
    search,
    setSearch,
  };
}
