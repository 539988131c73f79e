/**
 * The admin area's calls as hooks, and which cached data each change invalidates. Freezing and deleting update the cached
 * user pages with the bank's answer. If a colleague acted first, all lists of customers are refetched.
 */
import type { ThunkAction, UnknownAction } from '@reduxjs/toolkit';
import { adminApi } from '#contract/admin.ts';
import type { Data } from '#contract/endpoint.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { areaApi } from '#web/base/api.ts';
import type { CallError } from '#web/base/callError.ts';

export const adminCalls = areaApi(adminApi, {
  approvalQueue: { provides: ['Approvals'] },
  verificationQueue: { provides: ['Users'] },
  application: { provides: ['Approvals', 'Users'] },
  users: { provides: ['Users'] },
  user: { provides: ['Users'] },
  adminTransactions: { provides: ['AdminTransactions'] },
  adminStats: { provides: ['AdminStats'] },
  adminTransaction: { provides: ['AdminTransactions'] },
  figures: { provides: ['AdminStats'] },
  accountHolder: { provides: ['Users', 'Screening'] },
  approve: { invalidates: ['Approvals', 'Users', 'Customer'], ifOutOfDate: ['Screening'] },
  credit: { invalidates: ['AdminTransactions', 'AdminStats', 'Users', 'Customer', 'Requests'] },
  verifyId: { invalidates: ['Approvals', 'Users', 'Customer'], ifOutOfDate: ['Screening'] },
  freeze: { invalidates: ['Customer'], ifOutOfDate: ['Users', 'Approvals', 'Screening'] },
  // The transactions of a deleted customer remain, but under another name, so the lists of transactions are refetched too.
  deleteUser: {
    invalidates: [
      'Users',
      'Approvals',
      'AdminTransactions',
      'AdminStats',
      'Customer',
      'Requests',
      'Screening',
      'Messages',
      'Alerts',
    ],
  },
});

/** Whether the answer to a freeze says that the account was already in that state. */
export const wasBefore = (message: string) =>
  message === adminMessages.frozenBefore || message === adminMessages.unfrozenBefore;

export type TransactionsPage = Data<(typeof adminApi)['adminTransactions']>;

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

/** Removes a deleted customer from the cached user pages. */
const dropUser = (id: string) =>
  changeUserPages(page => {
    const place = page.users.findIndex(user => user._id === id);
    if (place < 0) return;
    page.users.splice(place, 1);
    page.totalUsers -= 1;
  });

// The calling screen shows the failure.
const ignoreError = () => {};

adminCalls.enhanceEndpoints({
  endpoints: {
    freeze: {
      onQueryStarted({ body: { reason } }, { dispatch, queryFulfilled }) {
        queryFulfilled.then(({ data: { data, message } }) => {
          // A colleague was first: nothing was changed, and the reason is the colleague's.
          const isLate = wasBefore(message);
          if (isLate) dispatch(adminCalls.util.invalidateTags(['Users']));
          const set = (page: UsersPage) => {
            for (const user of page.users) {
              if (user._id !== data.userId) continue;
              user.isFrozen = data.isFrozen;
              if (!isLate && data.isFrozen && reason) user.frozenReason = reason;
              if (data.isFrozen && user.isFrozenByCustomer) user.isFrozenByStaff = true;
              // Unfreezing also lifts the customer's own freeze.
              if (!data.isFrozen) {
                delete user.isFrozenByCustomer;
                delete user.isFrozenByStaff;
                delete user.frozenReason;
              }
            }
          };
          dispatch(changeUserPages(set));
        }, ignoreError);
      },
    },
    deleteUser: {
      onQueryStarted({ params }, { dispatch, queryFulfilled }) {
        queryFulfilled.then(({ data: { data } }) => {
          // An answer with data is a request: a second person must approve the deletion first.
          if (!data) dispatch(dropUser(params.id));
        }, ignoreError);
      },
    },
    user: {
      onQueryStarted({ params }, { dispatch, queryFulfilled }) {
        queryFulfilled.catch(({ error }) => {
          if ((error as CallError | undefined)?.code === 'NOT_FOUND') dispatch(dropUser(params.id));
        });
      },
    },
  },
});

export const {
  useApplicationQuery,
  useApprovalQueueQuery,
  useAccountHolderQuery,
  useAdminLoginMutation,
  useAdminLoginSecondMutation,
  useAdminPasskeyLoginMutation,
  useAdminPasskeyLoginOptionsMutation,
  useAdminStatsQuery,
  useAdminTransactionQuery,
  useAdminTransactionsQuery,
  useApproveMutation,
  useDeleteUserMutation,
  useFiguresQuery,
  useFreezeMutation,
  useLazyAuditLogQuery,
  useUserQuery,
  useUsersQuery,
  useVerificationQueueQuery,
  useVerifyIdMutation,
} = adminCalls;
