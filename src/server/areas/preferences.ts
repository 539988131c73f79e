/**
 * Handlers of the preferences area. The customer is notified and mailed about a change, because a thief would turn off the
 * mails first.
 */
import { isDeepStrictEqual } from 'node:util';
import type { preferencesApi } from '#contract/preferences.ts';
import type { Handlers } from '../http/serve.ts';
import type { Parts } from '../parts.ts';
import { lockCustomer } from '../people/customers.ts';
import { readPreferences, replacePreferences } from '../people/preferences.ts';
import { announceOwn, recordCustomerAct } from './recordAct.ts';

export function preferencesHandlers({ database }: Pick<Parts, 'database'>): Handlers<typeof preferencesApi> {
  return {
    async preferences({ customer }) {
      return { data: await readPreferences(database.reader, customer.accountId) };
    },

    async setPreferences({ body: choices, customer, address }) {
      await database.inTransaction(async tx => {
        // The lock makes concurrent changes wait, so each is compared with what the one before it saved.
        await lockCustomer(tx, customer.customerId);
        const former = await readPreferences(tx, customer.accountId);
        if (isDeepStrictEqual(former, choices)) return;
        await replacePreferences(tx, customer.accountId, choices);
        await announceOwn(tx, customer, 'preferences-changed');
        await recordCustomerAct(tx, { customer, address }, 'preferences.changed');
      });
      return { data: choices };
    },
  };
}
