/** The calls of the area admin as hooks, and what each change makes stale. */
import { adminApi } from '#contract/admin.ts';
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

export const {
  useAdminLoginMutation,
  useAdminStatsQuery,
  useAdminTransactionsQuery,
  useApproveMutation,
  useCreditMutation,
  useDeleteUserMutation,
  useFreezeMutation,
  usePendingApprovalsQuery,
  useUnverifiedIdsQuery,
  useUserQuery,
  useUsersQuery,
  useVerifyIdMutation,
} = adminCalls;
