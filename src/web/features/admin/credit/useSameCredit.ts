/** Finds the same credit, already made or requested, before an administrator pays a customer twice. */
import { useEffect, useEffectEvent } from 'react';
import type { adminApi } from '#contract/admin.ts';
import type { Data } from '#contract/endpoint.ts';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { useAppDispatch } from '#web/base/store.ts';
import { adminCalls, useAccountHolderQuery } from '../adminCalls.ts';
import { useRequestsQuery, waitingRequests } from '../staffCalls.ts';
import { type AlikeCredit, type CreditBody, readsAlike } from './creditCustomer.ts';

/** Looks up the holder for `useHolder`. Polls, because colleagues credit the same customers. */
export const useCurrentHolder = (call: { params: { accountNumber: string } }, options: { skip: boolean }) =>
  useAccountHolderQuery(call, { ...pollingOptions, ...options });

type Holder = Data<typeof adminApi.accountHolder>;

/** A credit whose answer was lost is checked too: if it was not made, a colleague may have made it since. */
export function useSameCredit(body: CreditBody | undefined, holder: Holder | undefined) {
  const dispatch = useAppDispatch();
  const { data: waitingNow, refetch: readRequests } = useRequestsQuery(waitingRequests, pollingOptions);
  const readHolder = (accountNumber: string) =>
    dispatch(
      adminCalls.endpoints.accountHolder.initiate(
        { params: { accountNumber } },
        { forceRefetch: true, subscribe: false },
      ),
    );

  // A request that is no longer waiting may have credited the customer.
  const afterRequests = useEffectEvent(() => {
    if (holder) void readHolder(holder.accountNumber);
  });
  const requests = waitingNow?.requests;
  useEffect(() => {
    if (requests) afterRequests();
  }, [requests]);

  const find = (found: Holder | undefined, listed: typeof requests) => {
    if (!body) return {};
    const isSame = (credit: AlikeCredit) => readsAlike(credit, body);
    return {
      made: found?.recentCredits?.find(isSame),
      waiting: listed?.find(
        ({ kind, customer, ...asked }) =>
          kind === 'credit' && customer?.accountNumber === body.userAccountNumber && isSame(asked),
      ),
    };
  };
  const shown = find(holder, holder && requests);

  return {
    ...shown,
    /**
     * Called on a press, before anything is sent: reads again, and says whether there is a same credit that was not shown. A
     * failed read finds nothing new.
     */
    isNewFound: async () => {
      if (!body) return false;
      const [nowHolder, nowWaiting] = await Promise.all([readHolder(body.userAccountNumber), readRequests()]);
      const now = find(nowHolder.data, nowWaiting.data?.requests);
      const isNew = (kind: 'made' | 'waiting') =>
        now[kind] !== undefined && now[kind]._id !== shown[kind]?._id;
      return isNew('made') || isNew('waiting');
    },
  };
}
