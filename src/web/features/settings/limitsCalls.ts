/** The limits area's calls as hooks: limits, the own freeze, and canceling a payment. */
import { limitsApi } from '#contract/limits.ts';
import { areaApi } from '#web/base/api.ts';

export const {
  useLimitsQuery,
  useSetLimitsMutation,
  useFreezeStateQuery,
  useFreezeOwnMutation,
  useUnfreezeOwnMutation,
  useCancelTransactionMutation,
  useFreezeByLinkMutation,
} = areaApi(limitsApi, {
  limits: { provides: ['Profile'] },
  setLimits: { invalidates: ['Profile', 'Notifications'] },
  freezeState: { provides: ['Profile'] },
  freezeOwn: { invalidates: ['Profile', 'Notifications'] },
  unfreezeOwn: { invalidates: ['Profile', 'Notifications'] },
  cancelTransaction: { invalidates: ['Money', 'Transactions', 'Notifications'] },
});
