/** Calls of the area transactions: what a customer has and what happened to it. */
import * as z from 'zod/mini';
import { paging } from './constants.ts';
import { endpoint } from './endpoint.ts';
import {
  Month,
  TransactionDetail,
  TransactionPage,
  transactionStatuses,
  transactionTypes,
} from './entities.ts';
import { day, id, limit, money, page, search } from './fields.ts';
import { messages } from './messages.ts';

/** Filters of a list of transactions. Days are inclusive and read in the bank's time zone. */
export const TransactionFilter = z.strictObject({
  page,
  limit: limit(paging.transactionsDefault),
  type: z.optional(z.enum(transactionTypes, { error: messages.errors.validation })),
  status: z.optional(z.enum(transactionStatuses, { error: messages.errors.validation })),
  startDate: z.optional(day(messages.transactions.startDate)),
  endDate: z.optional(day(messages.transactions.endDate)),
  search: z.optional(search),
});
export type TransactionFilter = z.output<typeof TransactionFilter>;

export const transactionsApi = {
  listTransactions: endpoint({
    method: 'GET',
    path: '/api/v1/user/transactions',
    access: 'customer',
    query: TransactionFilter,
    data: TransactionPage,
    message: messages.transactions.list,
    summary: "A page of the customer's transactions, newest first, with the whole account's figures",
  }),
  transaction: endpoint({
    method: 'GET',
    path: '/api/v1/user/transactions/{id}',
    access: 'customer',
    params: z.strictObject({ id }),
    data: TransactionDetail,
    message: messages.transactions.one,
    refusals: ['NOT_FOUND'],
    summary: "One of the customer's own transactions, with its story",
  }),
  balance: endpoint({
    method: 'GET',
    path: '/api/v1/user/balance',
    access: 'customer',
    data: z.object({ balance: money }),
    message: messages.transactions.balance,
    summary: 'The available balance',
  }),
  months: endpoint({
    method: 'GET',
    path: '/api/v1/user/transactions/months',
    access: 'customer',
    data: z.object({ months: z.array(Month) }),
    message: messages.transactions.months,
    summary: 'Money in and out in each of the last twelve months, oldest first',
  }),
};
