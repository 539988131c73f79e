/** Calls of the area records: statements, receipts, and a copy of everything that the bank holds about a customer. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { id, money } from './fields.ts';
import * as recordsMessages from './messages/records.ts';

const month = z
  .string({ error: recordsMessages.monthFormat })
  .check(z.regex(/^(?:19|2\d)\d\d-(?:0[1-9]|1[0-2])$/, { error: recordsMessages.monthFormat }));

/** The figures of a month. `from` and `to` are days, both inclusive; the current month ends today. */
const Statement = z.object({
  _id: z.string(),
  from: z.string(),
  to: z.string(),
  openingBalance: money,
  closingBalance: money,
  moneyIn: money,
  moneyOut: money,
  count: z.number(),
});
export type Statement = z.input<typeof Statement>;

const statementsPath = '/api/v1/user/statements';

export const recordsApi = {
  statements: endpoint({
    method: 'GET',
    path: statementsPath,
    access: 'customer',
    data: z.array(Statement),
    message: recordsMessages.statements,
    summary: 'Every month since the account was opened, newest first, the current one so far',
  }),
  statement: endpoint({
    method: 'GET',
    path: `${statementsPath}/{month}/pdf`,
    access: 'customer',
    quota: 'exports',
    params: z.strictObject({ month }),
    answer: 'file',
    message: recordsMessages.statement,
    refusals: ['NOT_FOUND'],
    summary: 'The statement of a month as a PDF',
  }),
  receipt: endpoint({
    method: 'GET',
    path: '/api/v1/user/transactions/{id}/receipt',
    access: 'customer',
    quota: 'exports',
    params: z.strictObject({ id }),
    answer: 'file',
    message: recordsMessages.receipt,
    refusals: ['NOT_FOUND'],
    summary: "A receipt of one of the customer's own transactions as a PDF",
  }),
  everything: endpoint({
    method: 'GET',
    path: '/api/v1/user/export',
    access: 'customer',
    quota: 'dataCopies',
    answer: 'file',
    message: recordsMessages.everything,
    summary: 'Everything that the bank holds about the customer, as a ZIP file',
  }),
};
