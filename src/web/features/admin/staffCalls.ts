/** Hooks for the calls of second approvals, of the staff, and of the administrator's own profile. */
import { fourEyesApi } from '#contract/fourEyes.ts';
import { staffApi } from '#contract/staff.ts';
import { areaApi } from '#web/base/api.ts';

const fourEyesCalls = areaApi(fourEyesApi, {
  requests: { provides: ['Requests'] },
  request: { provides: ['Requests'] },
  fourEyes: { provides: ['Requests'] },
  // Approving a request also carries it out. Requests differ in kind, so refetch everything that any of them can change.
  approveRequest: {
    invalidates: [
      'Requests',
      'AdminTransactions',
      'AdminStats',
      'Users',
      'Approvals',
      'Customer',
      'Staff',
      'AdminProfile',
      'Unclaimed',
      'DayEnd',
      'Screening',
      'Messages',
      'Alerts',
    ],
  },
  declineRequest: { invalidates: ['Requests', 'AdminTransactions', 'Customer', 'Unclaimed'] },
  withdrawRequest: { invalidates: ['Requests', 'AdminTransactions', 'Customer', 'Unclaimed'] },
  changeFourEyes: { invalidates: ['Requests'] },
});

const staffCalls = areaApi(staffApi, {
  adminProfile: { provides: ['AdminProfile'] },
  listStaff: { provides: ['Staff'] },
  inviteMember: { invalidates: ['Staff', 'Requests'] },
  changeRole: { invalidates: ['Staff', 'Requests', 'AdminProfile'] },
  disableMember: { invalidates: ['Staff', 'Requests'] },
  enableMember: { invalidates: ['Staff', 'Requests'] },
  resetMember: { invalidates: ['Staff'] },
  endMemberSessions: { invalidates: ['Staff', 'Requests'] },
});

export const {
  useApproveRequestMutation,
  useChangeFourEyesMutation,
  useDeclineRequestMutation,
  useFourEyesQuery,
  useRequestQuery,
  useRequestsQuery,
  useWithdrawRequestMutation,
} = fourEyesCalls;

export const {
  useAdminProfileQuery,
  useChangeAdminPasswordMutation,
  useChangeRoleMutation,
  useDisableMemberMutation,
  useEnableMemberMutation,
  useEndMemberSessionsMutation,
  useInviteMemberMutation,
  useListStaffQuery,
  useResetMemberMutation,
  useSetAdminPasswordMutation,
} = staffCalls;

/** Asks for the first page of the waiting requests for a second approval. The list and the sidebar's count share the answer. */
export const waitingRequests = { query: { status: 'pending' } } as const;
