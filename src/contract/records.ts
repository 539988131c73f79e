/** Calls of the records area: statements, receipts, and a copy of everything that the bank holds about a customer. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { id, moment, money } from './fields.ts';
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

/**
 * A job that copies all data about a customer into a file. `progress` is in percent; size and expiry are known when it is
 * ready.
 */
export const ExportJob = z.object({
  _id: z.string(),
  createdAt: moment,
  progress: z.number(),
  isReady: z.boolean(),
  readyAt: z.optional(moment),
  size: z.optional(z.number()),
  expiresAt: z.optional(moment),
});
export type ExportJob = z.input<typeof ExportJob>;

const exportJobsPath = '/api/v1/user/export-jobs';

const statementsPath = '/api/v1/user/statements';

export const recordsApi = {
  statements: endpoint({
    method: 'GET',
    path: statementsPath,
    access: 'customer',
    readsHistory: true,
    data: z.array(Statement),
    message: recordsMessages.statements,
    summary: 'Every month since the account was opened, newest first; the current month so far',
  }),
  statement: endpoint({
    method: 'GET',
    path: `${statementsPath}/{month}/pdf`,
    access: 'customer',
    quota: 'exports',
    readsHistory: true,
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
    readsHistory: true,
    answer: 'file',
    message: recordsMessages.everything,
    summary: 'Everything that the bank holds about the customer, as a ZIP file',
  }),
  exportJobs: endpoint({
    method: 'GET',
    path: exportJobsPath,
    access: 'customer',
    data: z.array(ExportJob),
    message: recordsMessages.copies,
    summary: 'Copies of all data that are being made or are stored, newest first',
  }),
  requestExport: endpoint({
    method: 'POST',
    path: exportJobsPath,
    access: 'customer',
    quota: 'dataCopies',
    status: 202,
    data: ExportJob,
    message: 'We’re making a copy of your data',
    summary:
      'Start a job that makes a copy of all data; if a job is already making one, the answer is that job',
  }),
  exportFile: endpoint({
    method: 'GET',
    path: `${exportJobsPath}/{id}/file`,
    access: 'customer',
    quota: 'exports',
    params: z.strictObject({ id }),
    answer: 'file',
    message: recordsMessages.everything,
    refusals: ['NOT_FOUND'],
    summary: 'A finished copy of all data, as a ZIP file',
  }),
};
