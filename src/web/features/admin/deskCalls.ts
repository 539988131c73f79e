/** The calls of the contact queue, the unclaimed balances and the day end as hooks. */
import { contactQueueApi } from '#contract/contactQueue.ts';
import { dayEndApi } from '#contract/dayEnd.ts';
import { unclaimedApi } from '#contract/unclaimed.ts';
import { areaApi } from '#web/base/api.ts';

const contactQueueCalls = areaApi(contactQueueApi, {
  messages: { provides: ['Messages'] },
  contactMessage: { provides: ['Messages'] },
  assignMessage: { invalidates: ['Messages'] },
  answerMessage: { invalidates: ['Messages'] },
  closeMessage: { invalidates: ['Messages'] },
});

export const unclaimedCalls = areaApi(unclaimedApi, {
  unclaimedBalances: { provides: ['Unclaimed'] },
  payOutUnclaimed: { invalidates: ['Unclaimed', 'AdminTransactions', 'AdminStats', 'Requests', 'DayEnd'] },
  assignUnclaimed: {
    invalidates: ['Unclaimed', 'AdminTransactions', 'AdminStats', 'Requests', 'DayEnd', 'Users', 'Customer'],
  },
});

const dayEndCalls = areaApi(dayEndApi, {
  dayEnd: { provides: ['DayEnd'] },
  startProof: { invalidates: ['DayEnd'] },
});

export const {
  useAnswerMessageMutation,
  useAssignMessageMutation,
  useCloseMessageMutation,
  useContactMessageQuery,
  useMessagesQuery,
} = contactQueueCalls;

export const { useUnclaimedBalancesQuery } = unclaimedCalls;

export const { useDayEndQuery, useProofQuery, useStartProofMutation } = dayEndCalls;

/** Requests the first page of the messages that wait. The list and the sidebar's count share the answer. */
export const waitingMessages = { query: { list: 'waiting' } } as const;
