/** Loads the acts on a customer: the newest first, older ones on request. */
import { useCallback, useEffect, useState } from 'react';
import { type CustomerAct, useLazyCustomerHistoryQuery } from '../customerCalls.ts';

type Acts = { acts: CustomerAct[]; hasMore: boolean; isLoading: boolean; error: unknown };

const nothing: Acts = { acts: [], hasMore: false, isLoading: true, error: undefined };

export function useCustomerActs(id: string) {
  const [ask] = useLazyCustomerHistoryQuery();
  const [known, setKnown] = useState(nothing);
  const read = useCallback(
    async (before?: string) => {
      setKnown(now => ({ ...now, isLoading: true, error: undefined }));
      const { data, error } = await ask({ params: { id }, ...(before && { query: { before } }) });
      setKnown(now => ({
        acts: data ? [...(before ? now.acts : []), ...data.records] : now.acts,
        hasMore: data?.hasMore ?? now.hasMore,
        isLoading: false,
        error,
      }));
    },
    [ask, id],
  );
  useEffect(() => void read(), [read]);
  return { ...known, loadMore: () => void read(known.acts.at(-1)?._id) };
}
