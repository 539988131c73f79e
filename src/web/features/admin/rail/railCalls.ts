/** The calls of the payment rail as hooks. */
import { railApi } from '#contract/rail.ts';
import { areaApi } from '#web/base/api.ts';

export const {
  useAssignRailExceptionMutation,
  useRailExceptionsQuery,
  useRailFilesQuery,
  useResolveRailExceptionMutation,
  useRetryRailExceptionMutation,
  useSentBackDepositsQuery,
} = areaApi(railApi, {
  railFiles: { provides: ['Rail'] },
  sentBackDeposits: { provides: ['Rail'] },
  railExceptions: { provides: ['Rail'] },
  assignRailException: { invalidates: ['Rail'] },
  resolveRailException: { invalidates: ['Rail'] },
  retryRailException: { invalidates: ['Rail'] },
});

/** Requests the first page of the open exceptions. The list and the sidebar's count share the answer. */
export const openExceptions = { query: { list: 'open' } } as const;
