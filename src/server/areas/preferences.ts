/** Handlers of the preferences area. A change is audited and announced: a thief would turn off the mails about payments. */
import type { preferencesApi } from '#contract/preferences.ts';
import { recordAudit } from '../db/audit.ts';
import { notifyOfOwnAct } from '../db/notifications.ts';
import type { Handlers } from '../http/serve.ts';
import { enqueueJob } from '../jobs/queue.ts';
import type { Parts } from '../parts.ts';
import { readPreferences, replacePreferences } from '../people/preferences.ts';

export function preferencesHandlers({ database }: Pick<Parts, 'database'>): Handlers<typeof preferencesApi> {
  return {
    async preferences({ customer }) {
      return { data: await readPreferences(database.reader, customer.accountId) };
    },

    async setPreferences({ body: choices, customer: { customerId, accountId }, address }) {
      await database.inTransaction(async tx => {
        await replacePreferences(tx, accountId, choices);
        await notifyOfOwnAct(tx, accountId, 'preferences-changed');
        await enqueueJob(tx, 'mail', { template: 'preferences-changed', personId: customerId });
        const actor = { kind: 'customer', id: customerId } as const;
        await recordAudit(tx, { actor, action: 'preferences.changed', subject: customerId, address });
      });
      return { data: choices };
    },
  };
}
