/**
 * Handlers of the preferences area. The customer is notified and mailed about a change, because a thief would turn off the
 * mails first.
 */
import type { preferencesApi } from '#contract/preferences.ts';
import { notifyOfOwnAct } from '../db/notifications.ts';
import type { Handlers } from '../http/serve.ts';
import { enqueueJob } from '../jobs/queue.ts';
import type { Parts } from '../parts.ts';
import { readPreferences, replacePreferences } from '../people/preferences.ts';
import { recordOwn } from './recordAct.ts';

export function preferencesHandlers({ database }: Pick<Parts, 'database'>): Handlers<typeof preferencesApi> {
  return {
    async preferences({ customer }) {
      return { data: await readPreferences(database.reader, customer.accountId) };
    },

    async setPreferences({ body: choices, customer, address }) {
      const { customerId, accountId } = customer;
      await database.inTransaction(async tx => {
        await replacePreferences(tx, accountId, choices);
        await notifyOfOwnAct(tx, accountId, 'preferences-changed');
        await enqueueJob(tx, 'mail', { template: 'preferences-changed', personId: customerId });
        await recordOwn(tx, { customer, address }, 'preferences.changed');
      });
      return { data: choices };
    },
  };
}
