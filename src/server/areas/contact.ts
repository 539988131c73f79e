/**
 * Handler of the contact form. The message is stored and its mail enqueued in one transaction, so every stored message is
 * mailed.
 */
import type { contactApi } from '#contract/contact.ts';
import type { Handlers } from '../http/serve.ts';
import { enqueueJob } from '../jobs/queue.ts';
import type { Parts } from '../parts.ts';
import { insertMessage } from '../people/contactMessages.ts';

export function contactHandlers({ database }: Pick<Parts, 'database'>): Handlers<typeof contactApi> {
  return {
    async sendMessage({ body, address, customer }) {
      await database.inTransaction(async tx => {
        const messageId = await insertMessage(tx, { ...body, address, customerId: customer?.customerId });
        await enqueueJob(tx, 'mail', { template: 'help-desk', messageId });
      });
    },
  };
}
