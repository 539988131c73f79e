/** Handler of the contact form. The message is stored and its mail enqueued in one transaction, so no message is lost. */
import { sql } from 'kysely';
import type { contactApi } from '#contract/contact.ts';
import { newId } from '../base/uuid.ts';
import type { Handlers } from '../http/serve.ts';
import { enqueueJob } from '../jobs/queue.ts';
import type { Parts } from '../parts.ts';

export function contactHandlers({ database }: Pick<Parts, 'database'>): Handlers<typeof contactApi> {
  return {
    async sendMessage({ body: { name, email, subject, message }, address }) {
      await database.inTransaction(async tx => {
        const messageId = newId();
        await sql`
          INSERT INTO contact_messages (id, name, email, subject, message, address)
          VALUES (${messageId}, ${name}, ${email}, ${subject}, ${message}, ${address})`.execute(tx);
        await enqueueJob(tx, 'mail', { template: 'help-desk', messageId });
      });
    },
  };
}
