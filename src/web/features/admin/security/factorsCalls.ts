/** The calls of the administrator's second factors as hooks. */
import { adminFactorsApi } from '#contract/factors.ts';
import { areaApi } from '#web/base/api.ts';

export const {
  useAdminAppQuery,
  useAdminStartAppMutation,
  useAdminConfirmAppMutation,
  useAdminRemoveAppMutation,
  useAdminRenewRecoveryCodesMutation,
  useAdminPasskeysQuery,
  useAdminPasskeyOptionsMutation,
  useAdminAddPasskeyMutation,
  useAdminRemovePasskeyMutation,
} = areaApi(adminFactorsApi, {
  adminApp: { provides: ['Factors'] },
  adminPasskeys: { provides: ['Factors'] },
  // With the first factor, a session that could only set one up gets access to all lists.
  adminConfirmApp: { invalidates: ['Factors', 'Approvals', 'Users', 'AdminStats', 'AdminTransactions'] },
  adminAddPasskey: { invalidates: ['Factors', 'Approvals', 'Users', 'AdminStats', 'AdminTransactions'] },
  adminRemoveApp: { invalidates: ['Factors'] },
  adminRenewRecoveryCodes: { invalidates: ['Factors'] },
  adminRemovePasskey: { invalidates: ['Factors'] },
});
