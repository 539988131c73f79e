/**
 * The page of users to show. With a search, filters or another order, it comes from the filtered list, whose search also finds
 * phone numbers and streets.
 */

import type { ListedCustomer } from '#contract/adminCustomers.ts';
import { paging } from '#contract/constants.ts';
import type { User } from '#contract/entities.ts';
import { useLastPage } from '#web/bank/useLastPage.ts';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { useSearchParams } from '#web/router/hooks.ts';
import { useUsersQuery } from '../adminCalls.ts';
import { useCustomersQuery } from '../customerCalls.ts';
import { usePagedSearch } from '../panel/usePagedSearch.ts';
import { readUserFilters, userQuery, writeUserFilters } from './userFilters.ts';

export function useUsersPage() {
  const [address] = useSearchParams();
  const filters = readUserFilters(address);
  const parts = writeUserFilters(filters);
  const paged = usePagedSearch('users', parts);
  const { page, search } = paged.settled;
  const isFiltered = parts.length > 0 || search !== '';
  const query = { page, limit: paging.usersDefault, ...(search && { search }) };
  const all = useUsersQuery(
    { query: { ...query, withApproval: 'true' } },
    { ...pollingOptions, skip: isFiltered },
  );
  const filtered = useCustomersQuery(
    { query: { ...query, ...userQuery(filters) } },
    { ...pollingOptions, skip: !isFiltered },
  );
  const { error, isFetching, refetch } = isFiltered ? filtered : all;
  const lastPage = useLastPage(paged, {
    totalPages: isFiltered ? filtered.data?.totalPages : all.data?.totalPages,
    isFetching,
  });
  return {
    ...paged,
    filters,
    hasFilters: parts.length > 0,
    isFiltered,
    users: isFiltered ? filtered.data?.customers.map(toUser) : all.data?.users,
    total: isFiltered ? filtered.data?.totalCustomers : all.data?.totalUsers,
    /** The answer to exactly this query has arrived. */
    isCurrent: (isFiltered ? filtered.currentData : all.currentData) !== undefined,
    error,
    isFetching,
    refetch,
    lastPage,
  };
}

/**
 * A customer of the filtered list as a row of the users. The list has no address and no ID document. The state of an applicant
 * is `pending` even if the account is frozen.
 */
function toUser({ document, joinedAt, state, ...customer }: ListedCustomer): User {
  return {
    ...customer,
    isApproved: state !== 'pending',
    isVerified: document === 'verified',
    profileImage: '',
    address: '',
    idCard: null,
    createdAt: joinedAt,
  };
}
