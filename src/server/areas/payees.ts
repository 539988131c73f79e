/** Handlers of the payees area. Each change is audited, and a new payee announced, in the transaction that makes it. */
import type { payeesApi } from '#contract/payees.ts';
import { type AuditAction, recordAudit } from '../db/audit.ts';
import type { Tx } from '../db/database.ts';
import { notifyOfOwnAct } from '../db/notifications.ts';
import type { Handlers, Request } from '../http/serve.ts';
import { enqueueJob } from '../jobs/queue.ts';
import type { Parts } from '../parts.ts';
import { findReceiver } from '../people/customerLists.ts';
import { changeNickname, deletePayee, insertPayee, readPayee, readPayees } from '../people/payees.ts';

export function payeesHandlers({ database }: Pick<Parts, 'database'>): Handlers<typeof payeesApi> {
  return {
    async listPayees({ customer }) {
      return { data: await readPayees(database.reader, customer.accountId) };
    },

    async addPayee({
      body: { kind, accountNumber, nickname, bankName = '', accountName = '' },
      customer,
      address,
    }) {
      const { customerId, accountId } = customer;
      if (kind === 'internal') await findReceiver(database.reader, accountNumber);
      const elsewhere = kind === 'external' ? { bankName, accountName } : { bankName: '', accountName: '' };
      const data = await database.inTransaction(async tx => {
        const id = await insertPayee(tx, customer, { ...elsewhere, accountNumber, nickname });
        // The notification has the payee's id, so that its text can name the payee when it is read.
        await notifyOfOwnAct(tx, accountId, 'payee-added', id);
        await enqueueJob(tx, 'mail', { template: 'payee-added', personId: customerId });
        await record(tx, { customer, address }, 'payee.added', id);
        return await readPayee(tx, accountId, id);
      });
      return { data };
    },

    async renamePayee({ params: { id }, body: { nickname }, customer, address }) {
      const data = await database.inTransaction(async tx => {
        if (await changeNickname(tx, customer.accountId, id, nickname))
          await record(tx, { customer, address }, 'payee.renamed', id);
        return await readPayee(tx, customer.accountId, id);
      });
      return { data };
    },

    async removePayee({ params: { id }, customer, address }) {
      await database.inTransaction(async tx => {
        await deletePayee(tx, customer.accountId, id);
        await record(tx, { customer, address }, 'payee.removed', id);
      });
    },
  };
}

type Own = Pick<Request<typeof payeesApi.listPayees>, 'customer' | 'address'>;

/** Audits a change of a payee, without its name and number. */
async function record(
  tx: Tx,
  { customer: { customerId }, address }: Own,
  action: AuditAction,
  payee: string,
): Promise<void> {
  const actor = { kind: 'customer', id: customerId } as const;
  await recordAudit(tx, { actor, action, subject: customerId, address, data: { payee } });
}
