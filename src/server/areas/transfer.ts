/** Handlers of the area transfer. Sending is the ledger's; finding a receiver tells a name and nothing else. */
import { sql } from 'kysely';
import { isAccountNumber } from '#contract/accountNumber.ts';
import { Refusal } from '#contract/errors.ts';
import { messages } from '#contract/messages.ts';
import type { transferApi } from '#contract/transfer.ts';
import type { Handlers } from '../http/serve.ts';
import type { Parts } from '../parts.ts';

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
      const notFound = new Refusal('NOT_FOUND', { message: messages.transfer.accountNotFound });
      // A mistyped number is not worth a question to the database.
      if (!isAccountNumber(params.accountNumber)) throw notFound;
      const found = await sql<{ first_name: string; last_name: string; number: string }>`
        SELECT c.first_name, c.last_name, a.number
          FROM ledger_accounts a JOIN customers c ON c.account_id = a.id
         WHERE a.number = ${params.accountNumber} AND a.is_approved AND NOT a.is_closed`.execute(
        database.reader,
      );
      const holder = found.rows[0];
      if (!holder) throw notFound;
      return {
        data: { accountName: `${holder.first_name} ${holder.last_name}`, accountNumber: holder.number },
      };
    },
  };
}
