/** Handlers of the transactions area. They only read; an export is audited before it begins. */
import { sql } from 'kysely';
import { calendarDay, monthOf } from '#contract/bankTime.ts';
import { Refusal } from '#contract/errors.ts';
import type { transactionsApi } from '#contract/transactions.ts';
import type { Handlers } from '../http/serve.ts';
import { listTransactions, sumMonthsOfPage } from '../ledger/accountList.ts';
import { openExport, readExportedAccount } from '../ledger/exportLines.ts';
import { readMonths, readTransaction } from '../ledger/history.ts';
import { sumMonths } from '../ledger/statements.ts';
import type { Parts } from '../parts.ts';
import { readAhead } from '../people/outlook.ts';
import { formats, writeExport } from './exports/exports.ts';
import { recordCustomerAct } from './recordAct.ts';

export function transactionsHandlers({
  database,
  clock,
  rail,
}: Pick<Parts, 'database' | 'clock' | 'rail'>): Handlers<typeof transactionsApi> {
  return {
    async listTransactions({ query, customer }) {
      return { data: await listTransactions(database.reader, customer.accountId, query) };
    },

    async transaction({ params, customer }) {
      const data = await readTransaction(database.reader, customer.accountId, params.id);
      if (!data) throw new Refusal('NOT_FOUND');
      const now = clock.now();
      // A payment that is held or late waits for the next cut-off.
      const cutOff = rail.cutOff(data.timestamp);
      const cancelUntil = cutOff > now ? cutOff : rail.cutOff(now);
      return { data: data.isWaiting && data.type === 'external-transfer' ? { ...data, cancelUntil } : data };
    },

    async balance({ customer }) {
      const found = await sql<{ balance: bigint }>`
        SELECT balance FROM ledger_accounts WHERE id = ${customer.accountId}`.execute(database.reader);
      return { data: { balance: found.rows[0]!.balance } };
    },

    async exportTransactions({ query: { format, ...filter }, customer, address }) {
      const { accountId } = customer;
      const { lines, ...head } = await openExport(database.reader, accountId, filter);
      const account = await readExportedAccount(database.reader, accountId);
      const from = filter.startDate ?? account.openedOn;
      const isPartial = Boolean(filter.type ?? filter.status ?? filter.search);
      const today = calendarDay(head.until);
      // The export ends today at the latest, because no balance is known for a later day. If its range begins after today, it
      // covers only that first day.
      const last = today < from ? from : today;
      const to = filter.endDate !== undefined && filter.endDate < last ? filter.endDate : last;
      await database.inTransaction(tx =>
        recordCustomerAct(tx, { customer, address }, 'transactions.exported', {
          reason: `${format} ${from} ${to}`,
        }),
      );
      const { routingNumber } = rail;
      const file = writeExport(
        formats[format],
        { ...head, ...account, routingNumber, from, to, isPartial },
        lines,
      );
      return { file };
    },

    async monthTotals({ query, customer }) {
      return { data: { months: await sumMonthsOfPage(database.reader, customer.accountId, query) } };
    },

    async outlook({ customer: { accountId } }) {
      const now = clock.now();
      const [months, sums, { balance, ...ahead }] = await Promise.all([
        readMonths(database.reader, accountId, now),
        sumMonths(database.reader, accountId, `${monthOf(now)}-01`),
        readAhead(database.reader, accountId, now),
      ]);
      const { month, in: moneyIn, out: moneyOut } = months.at(-1)!;
      const { inCents: statementIn = 0n, outCents: statementOut = 0n } = sums.get(month) ?? {};
      const statement = { statementIn, statementOut };
      return { data: { month, moneyIn, moneyOut, ...statement, ...ahead, left: balance - ahead.scheduled } };
    },

    async months({ customer }) {
      return { data: { months: await readMonths(database.reader, customer.accountId, clock.now()) } };
    },
  };
}
