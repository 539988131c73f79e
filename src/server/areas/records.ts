/** Handlers of the records area: statements, receipts and copies of data. Every download is audited before it begins. */
import { calendarDay, nameOfMonth } from '#contract/bankTime.ts';
import { bank } from '#contract/constants.ts';
import { Refusal } from '#contract/errors.ts';
import { fill } from '#contract/messages/fill.ts';
import * as recordsMessages from '#contract/messages/records.ts';
import type { recordsApi } from '#contract/records.ts';
import type { Handlers, SavedFile } from '../http/serve.ts';
import { writeEverything } from '../jobs/everything.ts';
import { enqueueJob } from '../jobs/queue.ts';
import { readTransaction } from '../ledger/history.ts';
import { openStatement, readMonthFigures } from '../ledger/statements.ts';
import type { Parts } from '../parts.ts';
import { refuseProvenByReset } from '../people/customers.ts';
import { findReadyExport, listExports, requestExport } from '../people/exportJobs.ts';
import { recordCustomerAct } from './recordAct.ts';
import { toReceipt } from './records/receiptFacts.ts';

export function recordsHandlers(
  parts: Pick<Parts, 'database' | 'documents' | 'files' | 'exportFiles' | 'clock' | 'log'>,
): Handlers<typeof recordsApi> {
  const { database, documents, clock, log } = parts;

  const saved = (name: string, type: 'pdf' | 'zip', content: SavedFile['content']): { file: SavedFile } => ({
    file: {
      name: `${bank.shortName.toLowerCase()}-${name}.${type}`,
      contentType: `application/${type}`,
      content,
    },
  });
  const pdf = (name: string, content: SavedFile['content']) => saved(name, 'pdf', content);
  const zip = (at: Date, content: SavedFile['content']) =>
    saved(`my-data-${calendarDay(at)}`, 'zip', content);
  /** Audits that a copy of all data was saved, and mails the customer: someone else at an open session could have done it. */
  const recordSaved = (acting: Parameters<typeof recordCustomerAct>[1]) =>
    database.inTransaction(async tx => {
      // The copy has what staff and the person who registered wrote.
      await refuseProvenByReset(tx, acting.customer.customerId, recordsMessages.copyAfterReset);
      await recordCustomerAct(tx, acting, 'data.exported');
      await enqueueJob(tx, 'mail', { template: 'data-saved', personId: acting.customer.customerId });
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
        recordCustomerAct(tx, { customer, address }, 'statement.downloaded', { reason: month }),
      );
      return pdf(`statement-${month}${statement.isSoFar ? '-so-far' : ''}`, documents.statement(statement));
    },

    async receipt({ params: { id }, customer, address }) {
      const transaction = await readTransaction(database.reader, customer.accountId, id);
      if (!transaction) throw new Refusal('NOT_FOUND');
      await database.inTransaction(tx =>
        recordCustomerAct(tx, { customer, address }, 'receipt.downloaded', { transaction: id }),
      );
      const receipt = toReceipt(transaction, customer.customerId, clock.now());
      return pdf(`receipt-${transaction.reference.toLowerCase()}`, documents.receipt(receipt));
    },

    async everything({ customer, address }) {
      await recordSaved({ customer, address });
      const onUnsound = (month: string, err: Error) =>
        log.error({ err, month }, 'a copy of all data lacks a statement');
      return zip(clock.now(), await writeEverything(parts, customer, { onUnsound }));
    },

    exportJobs: async ({ customer }) => ({ data: await listExports(database.reader, customer.customerId) }),

    async requestExport({ customer, address }) {
      const data = await database.inTransaction(async tx => {
        await refuseProvenByReset(tx, customer.customerId, recordsMessages.copyAfterReset);
        const { job, isNew } = await requestExport(tx, customer.customerId);
        if (isNew) await recordCustomerAct(tx, { customer, address }, 'data.requested');
        return job;
      });
      return { data };
    },

    async exportFile({ params: { id }, customer, address }) {
      const ready = await findReadyExport(database.reader, customer.customerId, id);
      const content = ready && (await parts.exportFiles.read({ id, ...ready }));
      if (!content) throw new Refusal('NOT_FOUND');
      // If the audit record fails, the open file must not stay open.
      await recordSaved({ customer, address }).catch((error: unknown) => {
        content.destroy();
        throw error;
      });
      return zip(ready.readyAt, content);
    },
  };
}
