/** Handlers of the transfer area. The ledger sends the money; looking up a receiver reveals the name and nothing else. */
import type { transferApi } from '#contract/transfer.ts';
import type { Handlers } from '../http/serve.ts';
import type { Parts } from '../parts.ts';
import { findReceiver } from '../people/customerLists.ts';

export function transferHandlers({
  database,
  ledger,
}: Pick<Parts, 'database' | 'ledger'>): Handlers<typeof transferApi> {
  return {
    async sendInternal({ body, customer, idempotencyKey, address }) {
      const data = await ledger.transfer({
        customerId: customer.customerId,
        sessionId: customer.sessionId,
        receiverAccountNumber: body.receiverAccountNumber,
        amountCents: body.amount,
        description: body.description,
        idempotencyKey,
        address,
      });
      return { data };
    },

    async sendExternal({ body, customer, idempotencyKey, address }) {
      const { bankName, accountName, accountNumber, amount, description } = body;
      const data = await ledger.sendExternal({
        customerId: customer.customerId,
        sessionId: customer.sessionId,
        bank: { bankName, accountName, accountNumber },
        amountCents: amount,
        description,
        idempotencyKey,
        address,
      });
      return { data };
    },

    async verifyAccount({ params }) {
      const { accountName, accountNumber } = await findReceiver(database.reader, params.accountNumber);
      return { data: { accountName, accountNumber } };
    },
  };
}
