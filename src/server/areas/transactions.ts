/** Handlers of the transactions area: read-only. */
import { sql } from 'kysely';
import { Refusal } from '#contract/errors.ts';
import type { transactionsApi } from '#contract/transactions.ts';
import type { Handlers } from '../http/serve.ts';
import { listTransactions, sumMonthsOfPage } from '../ledger/accountList.ts';
import { readMonths, readTransaction } from '../ledger/history.ts';
import type { Parts } from '../parts.ts';

export function transactionsHandlers({
  database,
  clock,
}: Pick<Parts, 'database' | 'clock'>): Handlers<typeof transactionsApi> {
  return {
    async listTransactions({ query, customer }) {
      return { data: await listTransactions(database.reader, customer.accountId, query) };
    },

    async transaction({ params, customer }) {
      const data = await readTransaction(database.reader, customer.accountId, params.id);
      if (!data) throw new Refusal('NOT_FOUND');
      return { data };
    },

    async balance({ customer }) {
      const found = await sql<{ balance: bigint }>`
        SELECT balance FROM ledger_accounts WHERE id = ${customer.accountId}`.execute(database.reader);
      return { data: { balance: found.rows[0]!.balance } };
    },

    async monthTotals({ query, customer }) {
      return { data: { months: await sumMonthsOfPage(database.reader, customer.accountId, query) } };
    },

    async months({ customer }) {
      return { data: { months: await readMonths(database.reader, customer.accountId, clock.now()) } };
    },
  };
}
