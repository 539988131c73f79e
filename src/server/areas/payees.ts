/** Handlers of the payees area. Each change is audited, and a new payee announced, in the transaction that makes it. */
import type { payeesApi } from '#contract/payees.ts';
import type { Handlers } from '../http/serve.ts';
import type { Parts } from '../parts.ts';
import { findReceiver } from '../people/customerLists.ts';
import { changeNickname, deletePayee, insertPayee, readPayee, readPayees } from '../people/payees.ts';
import { announceOwn, recordCustomerAct } from './recordAct.ts';

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
      if (kind === 'internal') await findReceiver(database.reader, accountNumber);
      const elsewhere = kind === 'external' ? { bankName, accountName } : { bankName: '', accountName: '' };
      const data = await database.inTransaction(async tx => {
        const id = await insertPayee(tx, customer, { ...elsewhere, accountNumber, nickname });
        // The notification has the payee's id, so that its text can name the payee when it is read.
        await announceOwn(tx, customer, 'payee-added', { payeeOrScheduleId: id, notificationId: id });
        await recordCustomerAct(tx, { customer, address }, 'payee.added', { payee: id });
        return await readPayee(tx, customer.accountId, id);
      });
      return { data };
    },

    async renamePayee({ params: { id }, body: { nickname }, customer, address }) {
      const data = await database.inTransaction(async tx => {
        if (await changeNickname(tx, customer.accountId, id, nickname))
          await recordCustomerAct(tx, { customer, address }, 'payee.renamed', { payee: id });
        return await readPayee(tx, customer.accountId, id);
      });
      return { data };
    },

    async removePayee({ params: { id }, customer, address }) {
      await database.inTransaction(async tx => {
        await deletePayee(tx, customer.accountId, id);
        await recordCustomerAct(tx, { customer, address }, 'payee.removed', { payee: id });
      });
    },
  };
}
