/** The scheduled area's calls. */
import { scheduledApi } from '#contract/scheduled.ts';
import { areaApi } from '#web/base/api.ts';

const scheduledClient = areaApi(scheduledApi, {
  listScheduled: { provides: ['Scheduled', 'Money', 'Notifications'] },
  addScheduled: { invalidates: ['Scheduled', 'Notifications'] },
  changeScheduled: { invalidates: ['Scheduled', 'Notifications'], ifOutOfDate: ['Scheduled'] },
  removeScheduled: { invalidates: ['Scheduled'], ifOutOfDate: ['Scheduled'] },
  skipScheduled: { invalidates: ['Scheduled'], ifOutOfDate: ['Scheduled'] },
  decideMissed: {
    invalidates: ['Scheduled', 'Money', 'Transactions', 'Notifications'],
    ifOutOfDate: ['Scheduled'],
  },
});

export const {
  useListScheduledQuery,
  useAddScheduledMutation,
  useChangeScheduledMutation,
  useRemoveScheduledMutation,
  useSkipScheduledMutation,
  useDecideMissedMutation,
} = scheduledClient;
