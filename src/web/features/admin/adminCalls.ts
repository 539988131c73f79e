/**
 * The calls of the area admin as hooks, and what each change makes stale. Freezing and deleting change the pages of
 * users that are known at once, by what the bank answered.
 */
import type { ThunkAction, UnknownAction } from '@reduxjs/toolkit';
import { adminApi } from '#contract/admin.ts';
import type { Data } from '#contract/endpoint.ts';
import { areaApi } from '#web/base/api.ts';

export const adminCalls = areaApi(adminApi, {
  pendingApprovals: { provides: ['Approvals'] },
  unverifiedIds: { provides: ['Users'] },
  users: { provides: ['Users'] },
  user: { provides: ['Users'] },
  adminTransactions: { provides: ['AdminTransactions'] },
  adminStats: { provides: ['AdminStats'] },
  approve: { invalidates: ['Approvals', 'Users'] },
  credit: { invalidates: ['AdminTransactions', 'AdminStats', 'Users'] },
  verifyId: { invalidates: ['Users'] },
  // A closed account's rows stay, under another name.
  deleteUser: { invalidates: ['Users', 'Approvals', 'AdminTransactions', 'AdminStats'] },
});

type UsersPage = Data<(typeof adminApi)['users']>;
type AdminState = Parameters<typeof adminCalls.util.selectCachedArgsForQuery>[0];

function changeUserPages(
  change: (page: UsersPage) => void,
): ThunkAction<void, AdminState, unknown, UnknownAction> {
  return (dispatch, getState) => {
    for (const call of adminCalls.util.selectCachedArgsForQuery(getState(), 'users')) {
      dispatch(adminCalls.util.updateQueryData('users', call, change));
    }
  };
}

// The screen that asked shows the failure.
const leaveToScreen = () => {};

adminCalls.enhanceEndpoints({
  endpoints: {
    freeze: {
      onQueryStarted(_, { dispatch, queryFulfilled }) {
        queryFulfilled.then(({ data: { data } }) => {
          const set = (page: UsersPage) => {
            for (const user of page.users) if (user._id === data.userId) user.isFrozen = data.isFrozen;
          };
          dispatch(changeUserPages(set));
        }, leaveToScreen);
      },
    },
    deleteUser: {
      onQueryStarted({ params }, { dispatch, queryFulfilled }) {
        queryFulfilled.then(() => {
          const drop = (page: UsersPage) => {
            const place = page.users.findIndex(user => user._id === params.id);
            if (place < 0) return;
            page.users.splice(place, 1);
            page.totalUsers -= 1;
          };
          dispatch(changeUserPages(drop));
        }, leaveToScreen);
      },
    },
  },
});

export const {
  useAdminLoginMutation,
  useAdminStatsQuery,
  useAdminTransactionsQuery,
  useApproveMutation,
  useDeleteUserMutation,
  useFreezeMutation,
  usePendingApprovalsQuery,
  useUnverifiedIdsQuery,
  useUserQuery,
  useUsersQuery,
  useVerifyIdMutation,
} = adminCalls;
