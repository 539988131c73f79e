/** Handlers of the records area: what customers take away. Every download is audited before it begins. */
import { calendarDay, nameOfMonth } from '#contract/bankTime.ts';
import { bank } from '#contract/constants.ts';
import { Refusal } from '#contract/errors.ts';
import { fill } from '#contract/messages/fill.ts';
import * as recordsMessages from '#contract/messages/records.ts';
import type { recordsApi } from '#contract/records.ts';
import type { Handlers, SavedFile } from '../http/serve.ts';
import { readTransaction } from '../ledger/history.ts';
import { openStatement, readMonthFigures } from '../ledger/statements.ts';
import type { Parts } from '../parts.ts';
import { recordOwn } from './recordAct.ts';
import { writeEverything } from './records/everything.ts';
import { toReceipt } from './records/receiptFacts.ts';

export function recordsHandlers(
  parts: Pick<Parts, 'database' | 'documents' | 'files' | 'clock'>,
): Handlers<typeof recordsApi> {
  const { database, documents, clock } = parts;

  const pdf = (name: string, content: SavedFile['content']): { file: SavedFile } => ({
    file: {
      name: `${bank.shortName.toLowerCase()}-${name}.pdf`,
      contentType: 'application/pdf',
      content,
    },
  });

  return {
    async statements({ customer }) {
      const figures = await readMonthFigures(database.reader, customer.accountId, clock.now());
      const data = figures.reverse().map(each => ({
        _id: each.month,
        from: each.from,
        to: each.to,
        openingBalance: each.openingCents,
        closingBalance: each.closingCents,
        moneyIn: each.inCents,
        moneyOut: each.outCents,
        count: each.count,
      }));
      return { data };
    },

    async statement({ params: { month }, customer, address }) {
      const { accountId } = customer;
      const statement = await openStatement(database.reader, accountId, month, clock.now());
      if (!statement) {
        const [first] = await readMonthFigures(database.reader, accountId, clock.now());
        const isBefore = first && month < first.month;
        const sentence = isBefore ? recordsMessages.monthBefore : recordsMessages.monthAhead;
        const names = {
          month: nameOfMonth(month, 'full'),
          ...(first && { first: nameOfMonth(first.month, 'full') }),
        };
        throw new Refusal('NOT_FOUND', { message: fill(sentence, names) });
      }
      await database.inTransaction(tx =>
        recordOwn(tx, { customer, address }, 'statement.downloaded', { reason: month }),
      );
      return pdf(`statement-${month}${statement.isSoFar ? '-so-far' : ''}`, documents.statement(statement));
    },

    async receipt({ params: { id }, customer, address }) {
      const transaction = await readTransaction(database.reader, customer.accountId, id);
      if (!transaction) throw new Refusal('NOT_FOUND');
      await database.inTransaction(tx =>
        recordOwn(tx, { customer, address }, 'receipt.downloaded', { transaction: id }),
      );
      const receipt = toReceipt(transaction, customer.customerId, clock.now());
      return pdf(`receipt-${transaction.reference.toLowerCase()}`, documents.receipt(receipt));
    },

    async everything({ customer, address }) {
      await database.inTransaction(tx => recordOwn(tx, { customer, address }, 'data.exported'));
      return {
        file: {
          name: `${bank.shortName.toLowerCase()}-my-data-${calendarDay(clock.now())}.zip`,
          contentType: 'application/zip',
          content: await writeEverything(parts, customer),
        },
      };
    },
  };
}
