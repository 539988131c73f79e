/** Posts transactions in the past, as `src/server/demo` does: the ledger's own SQL functions take the time as a parameter. */
import type { Database } from '#server/db/database.ts';
import { toPostRequest } from '#server/ledger/ledger.ts';
import { postParameters } from '#server/ledger/postStatement.ts';
import type { SeededCustomer } from './seedCustomers.ts';

const otherBank = { bankName: 'First Harbor', accountName: 'Ines Caldeira', accountNumber: '12345678' };

type Past = { at: string; cents: bigint; description?: string };

export type PastTransactions = ReturnType<typeof openPast>;

/** `adminId`: the administrator who makes the credits. */
export function openPast(database: Database, adminId: string) {
  async function post(
    type: Parameters<typeof toPostRequest>[0],
    { at, cents, description = '' }: Past,
    actor: string,
    receiver: string | null,
    bank: Partial<typeof otherBank> | null = null,
  ): Promise<string> {
    const order = { amountCents: cents, description, address: '' };
    const who = { actor, session: null, receiver };
    const request = toPostRequest(type, order, who, bank && { ...otherBank, ...bank });
    const values = postParameters(0, [request]);
    const places = values.map((_, index) => `$${index + 2}`).join(', ');
    const posted = await database.ownerPool.query<{ outcomes: number[] }>(
      `SELECT outcomes FROM post_group_at($1, ${places})`,
      [new Date(at), ...values],
    );
    if (posted.rows[0]!.outcomes[0] !== 0) throw new Error(`refused: ${JSON.stringify(posted.rows[0])}`);
    return request.id;
  }
  return {
    credit: (to: SeededCustomer, past: Past) => post('admin-credit', past, adminId, to.accountNumber),
    send: (from: SeededCustomer, to: SeededCustomer, past: Past) =>
      post('transfer', past, from.customerId, to.accountNumber),
    sendOut: (from: SeededCustomer, past: Past, bank: Partial<typeof otherBank> = {}) =>
      post('external-transfer', past, from.customerId, null, bank),
    async decide(id: string, at: string, isSettled: boolean): Promise<void> {
      await database.ownerPool.query('SELECT decide_external_transfer_at($1, $2, $3, $4)', [
        new Date(at),
        id,
        isSettled,
        isSettled ? null : 'No such account <&>',
      ]);
    },
  };
}
