/** The calls of sanctions screening as hooks. */
import { type ScreeningHit, screeningApi } from '#contract/screening.ts';
import { areaApi } from '#web/base/api.ts';
import { pollingOptions } from '#web/base/pollingOptions.ts';

const screeningCalls = areaApi(screeningApi, {
  screening: { provides: ['Screening'] },
  customerScreening: { provides: ['Screening'] },
  decideHit: { invalidates: ['Screening', 'Customer', 'Approvals'] },
  reopenHit: { invalidates: ['Screening', 'Customer', 'Approvals'] },
});

const { useCustomerScreeningQuery } = screeningCalls;
export const { useDecideHitMutation, useReopenHitMutation, useScreeningQuery } = screeningCalls;

/** Requests the first page of the matches to be decided. The list and the sidebar's count share the answer. */
export const openHits = { query: { state: 'open' } } as const;

/** How many matches are undecided; undefined without a sanctions list, because then nothing is screened. */
export function useOpenHits(): number | undefined {
  const { data } = useScreeningQuery(openHits, pollingOptions);
  return data?.list && data.open;
}

/**
 * The matches of one customer with the list that is in force; none before the first import. `skip`: the customer may be
 * erased.
 */
export function useCustomerHits(customerId: string, skip = false) {
  const isOn = useOpenHits() !== undefined;
  const { currentData = [] } = useCustomerScreeningQuery(
    { params: { id: customerId } },
    { skip: skip || !isOn },
  );
  return currentData.filter(({ state }) => state !== 'outdated');
}

/**
 * Whether the customer was confirmed as the listed person: `match` if that decision still counts, `open` if it must be made
 * again.
 */
export function confirmedState(hits: readonly ScreeningHit[]): 'match' | 'open' | undefined {
  if (hits.some(({ state }) => state === 'match')) return 'match';
  const wasConfirmed = hits.some(
    ({ state, earlier, confirmed }) =>
      state === 'open' && (earlier?.state === 'match' || confirmed !== undefined),
  );
  return wasConfirmed ? 'open' : undefined;
}

/** The newest state of a match, which is read again while it is shown. */
export function useCurrentHit(hit: ScreeningHit | undefined, isShown: boolean): ScreeningHit | undefined {
  const { currentData = [] } = useCustomerScreeningQuery(
    { params: { id: hit?.customer._id ?? '' } },
    { ...pollingOptions, skip: !hit || !isShown },
  );
  return currentData.find(({ _id }) => _id === hit?._id) ?? hit;
}
