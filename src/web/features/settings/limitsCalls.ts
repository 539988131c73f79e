/** The limits area's calls as hooks: limits, the customer's freeze of their own account, and canceling a payment. */
import { limitsApi } from '#contract/limits.ts';
import * as navMessages from '#contract/messages/nav.ts';
import { areaApi } from '#web/base/api.ts';
import { aboutFrozenAccount } from '#web/base/helpDesk.ts';
import { words } from './words.ts';

// `returnHeldPayment` is for administrators: admin/customerCalls.ts.
const { returnHeldPayment: _, ...ownLimitsApi } = limitsApi;

export const {
  useLimitsQuery,
  useDailyLimitQuery,
  useSetLimitsMutation,
  useFreezeStateQuery,
  useFreezeOwnMutation,
  useUnfreezeOwnMutation,
  useCancelTransactionMutation,
  useFreezeByLinkMutation,
} = areaApi(ownLimitsApi, {
  limits: { provides: ['Profile'] },
  dailyLimit: { provides: ['Profile', 'Money', 'Transactions'] },
  setLimits: { invalidates: ['Profile', 'Notifications'], saves: 'limits' },
  freezeState: { provides: ['Profile'] },
  freezeOwn: { invalidates: ['Profile', 'Notifications', 'Factors'] },
  unfreezeOwn: { invalidates: ['Profile', 'Notifications', 'Factors'] },
  cancelTransaction: { invalidates: ['Money', 'Transactions', 'Notifications'] },
});

/** The link for a frozen customer: to unfreeze an account that the customer froze, else to the Help Desk. */
export function useFrozenHelp(): { to: string; link: string } {
  const { data } = useFreezeStateQuery();
  return data?.byYou && !data.byBank
    ? { to: '/dashboard/settings?tab=security', link: words.freeze.unfreeze }
    : { to: aboutFrozenAccount, link: navMessages.askHelpDesk };
}
