/** The limits area's calls as hooks: limits, the own freeze, and canceling a payment. */
import { limitsApi } from '#contract/limits.ts';
import { areaApi } from '#web/base/api.ts';

// The administrator's call belongs to the administration.
const { returnHeldPayment: _, ...ownLimitsApi } = limitsApi;

export const {
  useLimitsQuery,
  useSetLimitsMutation,
  useFreezeStateQuery,
  useFreezeOwnMutation,
  useUnfreezeOwnMutation,
  useCancelTransactionMutation,
  useFreezeByLinkMutation,
} = areaApi(ownLimitsApi, {
  limits: { provides: ['Profile'] },
  setLimits: { invalidates: ['Profile', 'Notifications'] },
  freezeState: { provides: ['Profile'] },
  freezeOwn: { invalidates: ['Profile', 'Notifications'] },
  unfreezeOwn: { invalidates: ['Profile', 'Notifications'] },
  cancelTransaction: { invalidates: ['Money', 'Transactions', 'Notifications'] },
});
