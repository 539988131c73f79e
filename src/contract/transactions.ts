/** Calls of the transactions area: balance, transactions and months of a customer. */
import * as z from 'zod/mini';
import { paging } from './constants.ts';
import { endpoint } from './endpoint.ts';
import {
  Month,
  MonthTotal,
  TransactionDetail,
  TransactionPage,
  transactionStatuses,
  transactionTypes,
} from './entities.ts';
import { day, id, money, pageQuery, search } from './fields.ts';
import * as errorMessages from './messages/errors.ts';
import * as transactionsMessages from './messages/transactions.ts';

/** Filters of a transaction list. Days are inclusive and in the bank's time zone. */
export const TransactionFilter = z.strictObject({
  ...pageQuery(paging.transactionsDefault),
  type: z.optional(z.enum(transactionTypes, { error: errorMessages.validation })),
  status: z.optional(z.enum(transactionStatuses, { error: errorMessages.validation })),
  startDate: z.optional(day(transactionsMessages.startDate)),
  endDate: z.optional(day(transactionsMessages.endDate)),
  search: z.optional(search),
});
/** Filters of the list of all customers' transactions. `held`: pending payments to other banks that a freeze holds. */
export const BankFilter = z.extend(TransactionFilter, {
  status: z.optional(z.enum([...transactionStatuses, 'held'], { error: errorMessages.validation })),
});
export type BankFilter = z.output<typeof BankFilter>;

/** The formats of an export: CSV for spreadsheets, OFX 2.2 and QIF for bookkeeping programs, ISO 20022 camt.053.001.08. */
export const exportFormats = ['csv', 'ofx', 'qif', 'camt053'] as const;

export type TransactionFilter = z.output<typeof TransactionFilter>;

/** Days are `YYYY-MM-DD` in the bank's time zone. */
const Outlook = z.object({
  /** `YYYY-MM`. */
  month: z.string(),
  moneyIn: money,
  moneyOut: money,
  /** Money in and out on the month's statement, which also lists moves to and from savings goals and returned payments. */
  statementIn: money,
  statementOut: money,
  /**
   * The last day that `scheduled` and `left` cover: the day of the next regular income if `isIncome`, otherwise the end of the
   * month.
   */
  until: z.string(),
  isIncome: z.boolean(),
  /** What scheduled transfers and the rules of savings goals will take from the balance by then. */
  scheduled: money,
  /** The part of `scheduled` that rules of savings goals will take. A server of 1.0.0 does not return it. */
  savings: z.optional(money),
  /** The available balance minus `scheduled`; negative if there is not enough. */
  left: money,
  /** The money in savings goals, which the available balance leaves out. */
  inGoals: money,
});
export type Outlook = z.input<typeof Outlook>;

export const transactionsApi = {
  listTransactions: endpoint({
    method: 'GET',
    path: '/api/v1/user/transactions',
    access: 'customer',
    readsHistory: 'with a filter',
    query: TransactionFilter,
    data: TransactionPage,
    message: transactionsMessages.list,
    summary: "A page of the customer's transactions, newest first, with the whole account's figures",
  }),
  transaction: endpoint({
    method: 'GET',
    path: '/api/v1/user/transactions/{id}',
    access: 'customer',
    params: z.strictObject({ id }),
    data: TransactionDetail,
    message: transactionsMessages.one,
    refusals: ['NOT_FOUND'],
    summary: "One of the customer's own transactions, with its timeline",
  }),
  balance: endpoint({
    method: 'GET',
    path: '/api/v1/user/balance',
    access: 'customer',
    data: z.object({ balance: money }),
    message: transactionsMessages.balance,
    summary: 'The available balance',
  }),
  exportTransactions: endpoint({
    method: 'GET',
    path: '/api/v1/user/transactions/export',
    access: 'customer',
    quota: 'exports',
    readsHistory: true,
    query: z
      .extend(z.omit(TransactionFilter, { page: true, limit: true }), {
        format: z.enum(exportFormats, { error: 'Please choose csv, ofx, qif or camt053' }),
      })
      .check(
        z.refine(({ startDate, endDate }) => !startDate || !endDate || startDate <= endDate, {
          path: ['startDate'],
          error: 'The start date must not be after the end date',
        }),
      ),
    answer: 'file',
    message: transactionsMessages.exported,
    summary: "The customer's transactions as a file, oldest first; the filters of the list apply",
  }),
  monthTotals: endpoint({
    method: 'GET',
    path: '/api/v1/user/transactions/month-totals',
    access: 'customer',
    readsHistory: true,
    query: TransactionFilter,
    data: z.object({ months: z.array(MonthTotal) }),
    message: 'Month totals',
    summary: 'Money in and out of all matching transactions, for each month on a page of the list',
  }),
  outlook: endpoint({
    method: 'GET',
    path: '/api/v1/user/outlook',
    access: 'customer',
    readsHistory: true,
    data: Outlook,
    message: 'What is left to spend',
    summary:
      'Money in and out this month, and what is scheduled and left to spend until the next income or month',
  }),
  months: endpoint({
    method: 'GET',
    path: '/api/v1/user/transactions/months',
    access: 'customer',
    readsHistory: true,
    data: z.object({ months: z.array(Month) }),
    message: 'Money in and out by month',
    summary: 'Money in and out in each of the last twelve months, oldest first',
  }),
};
