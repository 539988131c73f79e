/** The page of users to show. */
import { paging } from '#contract/constants.ts';
import { pollingOptions, useUsersQuery } from '../adminCalls.ts';
import { useLastPage, usePagedSearch } from '../panel/usePagedSearch.ts';

export function useUsersPage() {
  const paged = usePagedSearch('users');
  const { page, search } = paged.settled;
  const call = { query: { page, limit: paging.usersDefault, ...(search && { search }) } };
  const { data, currentData, error, isFetching, refetch } = useUsersQuery(call, pollingOptions);
  const lastPage = useLastPage(paged, { totalPages: data?.totalPages, isFetching });
  return { ...paged, data, currentData, error, isFetching, refetch, lastPage };
}
