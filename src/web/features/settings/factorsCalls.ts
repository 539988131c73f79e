/** The calls of the customer's second factors as hooks. */
import { factorsApi } from '#contract/factors.ts';
import { areaApi } from '#web/base/api.ts';

export const factorsClient = areaApi(factorsApi, {
  app: { provides: ['Factors'] },
  passkeys: { provides: ['Factors'] },
  confirmApp: { invalidates: ['Factors'] },
  removeApp: { invalidates: ['Factors', 'Sessions'] },
  renewRecoveryCodes: { invalidates: ['Factors'] },
  addPasskey: { invalidates: ['Factors'] },
  removePasskey: { invalidates: ['Factors', 'Sessions'] },
});

export const {
  useAppQuery,
  useStartAppMutation,
  useConfirmAppMutation,
  useRemoveAppMutation,
  useRenewRecoveryCodesMutation,
  usePasskeysQuery,
  usePasskeyOptionsMutation,
  useAddPasskeyMutation,
  useRemovePasskeyMutation,
} = factorsClient;
