/**
 * The calls of the area admin as hooks, and what each change makes stale. Freezing and deleting change the pages of
 * users that are known at once, by what the bank answered. Who finds that a colleague was first sees the lists anew.
 */
import type { ThunkAction, ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { adminApi } from '#contract/admin.ts';
import type { Data } from '#contract/endpoint.ts';
import { areaApi } from '#web/base/api.ts';
import type { CallError } from '#web/base/callError.ts';

export const adminCalls = areaApi(adminApi, {
  pendingApprovals: { provides: ['Approvals'] },
  unverifiedIds: { provides: ['Users'] },
  users: { provides: ['Users'] },
  user: { provides: ['Users'] },
  adminTransactions: { provides: ['AdminTransactions'] },
  adminStats: { provides: ['AdminStats'] },
  adminTransaction: { provides: ['AdminTransactions'] },
  figures: { provides: ['AdminStats'] },
  accountHolder: { provides: ['Users'] },
  approve: { invalidates: ['Approvals', 'Users'] },
  credit: { invalidates: ['AdminTransactions', 'AdminStats', 'Users'] },
  verifyId: { invalidates: ['Users'] },
  // A closed account's rows stay, under another name.
  deleteUser: { invalidates: ['Users', 'Approvals', 'AdminTransactions', 'AdminStats'] },
});

export type TransactionsPage = Data<(typeof adminApi)['adminTransactions']>;
/** How a list that colleagues change too is kept: asked for again while somebody looks at it, and on coming back to it. */
export const keptFresh = {
  pollingInterval: 30_000,
  skipPollingIfUnfocused: true,
  refetchOnFocus: true,
} as const;

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

type Failing = { queryFulfilled: Promise<unknown>; dispatch: ThunkDispatch<unknown, unknown, UnknownAction> };

/** Where the bank says that things stand otherwise than the screen shows, all lists are asked again. */
async function lookAgainAfterRefusal({ queryFulfilled, dispatch }: Failing): Promise<void> {
  // The screen that asked shows the failure.
  const failed = await queryFulfilled.then(
    () => undefined,
    (problem: { error?: CallError }) => problem.error?.code,
  );
  if (failed === 'NOT_FOUND' || failed === 'CONFLICT')
    dispatch(adminCalls.util.invalidateTags(['Users', 'Approvals']));
}

// `lookAgainAfterRefusal` has it.
const leaveToOther = () => {};

adminCalls.enhanceEndpoints({
  endpoints: {
    approve: { onQueryStarted: (_, started) => lookAgainAfterRefusal(started) },
    verifyId: { onQueryStarted: (_, started) => lookAgainAfterRefusal(started) },
    freeze: {
      onQueryStarted(_, { dispatch, queryFulfilled }) {
        void lookAgainAfterRefusal({ dispatch, queryFulfilled });
        queryFulfilled.then(({ data: { data } }) => {
          const set = (page: UsersPage) => {
            for (const user of page.users) if (user._id === data.userId) user.isFrozen = data.isFrozen;
          };
          dispatch(changeUserPages(set));
        }, leaveToOther);
      },
    },
    deleteUser: {
      onQueryStarted({ params }, { dispatch, queryFulfilled }) {
        void lookAgainAfterRefusal({ dispatch, queryFulfilled });
        queryFulfilled.then(() => {
          const drop = (page: UsersPage) => {
            const place = page.users.findIndex(user => user._id === params.id);
            if (place < 0) return;
            page.users.splice(place, 1);
            page.totalUsers -= 1;
          };
          dispatch(changeUserPages(drop));
        }, leaveToOther);
      },
    },
  },
});

export const {
  useAccountHolderQuery,
  useAdminLoginMutation,
  useAdminStatsQuery,
  useAdminTransactionQuery,
  useAdminTransactionsQuery,
  useApproveMutation,
  useDeleteUserMutation,
  useFiguresQuery,
  useFreezeMutation,
  useLazyAuditLogQuery,
  usePendingApprovalsQuery,
  useUnverifiedIdsQuery,
  useUserQuery,
  useUsersQuery,
  useVerifyIdMutation,
} = adminCalls;
