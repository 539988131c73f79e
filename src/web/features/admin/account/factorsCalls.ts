/** The calls of the administrators' own second factors, and of the removal of a customer's second factors, as hooks. */
import { adminFactorsApi } from '#contract/factors.ts';
import { areaApi, type Tag } from '#web/base/api.ts';

// A bank that requires a second factor refuses most of these data until one is set up, so a new factor invalidates them.
const first: Tag[] = [
  'Factors',
  'AdminProfile',
  'Requests',
  'Approvals',
  'Users',
  'AdminStats',
  'AdminTransactions',
  'Messages',
  'Alerts',
  'Rail',
  'Screening',
];

export const {
  useAdminAppQuery,
  useAdminStartAppMutation,
  useAdminConfirmAppMutation,
  useAdminRemoveAppMutation,
  useAdminRenewRecoveryCodesMutation,
  useAdminPasskeysQuery,
  useAdminConfirmOptionsMutation,
  useAdminPasskeyOptionsMutation,
  useAdminAddPasskeyMutation,
  useAdminRemovePasskeyMutation,
  useCancelFactorResetMutation,
  useResetFactorsMutation,
} = areaApi(adminFactorsApi, {
  adminApp: { provides: ['Factors'] },
  adminPasskeys: { provides: ['Factors'] },
  adminConfirmApp: { invalidates: first },
  adminAddPasskey: { invalidates: first },
  adminRemoveApp: { invalidates: ['Factors'] },
  adminRenewRecoveryCodes: { invalidates: ['Factors'] },
  adminRemovePasskey: { invalidates: ['Factors'] },
  resetFactors: { invalidates: ['Customer'] },
  cancelFactorReset: { invalidates: ['Customer'] },
});
