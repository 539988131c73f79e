/** Calls of the unclaimed area: the money of closed accounts, and paying it out. */
import * as z from 'zod/mini';
import { maxLength } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { Transaction, transactionStatuses } from './entities.ts';
import { accountNumberText, id, moment, money, pageQuery, pages, requiredLine, search } from './fields.ts';
import { reason } from './fourEyes.ts';
import * as errorMessages from './messages/errors.ts';
import * as transferMessages from './messages/transfer.ts';
import * as unclaimedMessages from './messages/unclaimed.ts';
import { everyRole, operators } from './roles.ts';
import { ExternalTransfer } from './transfer.ts';

export const unclaimedLists = ['waiting', 'paid'] as const;
/** How money became unclaimed: its account was closed, its payment came back, or its payout was reversed. */
const origins = ['closing', 'return', 'reversal'] as const;

const Bank = z.object({ bankName: z.string(), accountName: z.string(), accountNumber: z.string() });

/** One movement of money into the unclaimed balances. `_id` and `reference` are the transaction's. */
export const UnclaimedBalance = z.object({
  _id: z.string(),
  reference: z.string(),
  amount: money,
  at: moment,
  origin: z.enum(origins),
  /** The number of the closed account. */
  accountNumber: z.optional(z.string()),
  customerId: z.optional(z.string()),
  /** The pending request to pay it out. */
  requestId: z.optional(z.string()),
  /** How it was paid out: to another bank, or to the account of a customer. */
  paid: z.optional(
    z.object({
      transactionId: z.string(),
      at: moment,
      by: z.string(),
      status: z.enum(transactionStatuses),
      bank: z.optional(Bank),
      accountNumber: z.optional(z.string()),
      /** The reversal of the payout. The money that it brought back is another balance. */
      reversedBy: z.optional(z.string()),
    }),
  ),
});
export type UnclaimedBalance = z.input<typeof UnclaimedBalance>;

const path = '/api/v1/admin/unclaimed';
const payout = {
  method: 'POST',
  access: 'admin',
  roles: operators,
  params: z.strictObject({ id }),
  idempotent: true,
  fourEyes: true,
  status: 201,
  data: Transaction,
  refusals: ['NOT_FOUND', 'CONFLICT', 'IDEMPOTENCY_MISMATCH'],
} as const;

export const unclaimedApi = {
  unclaimedBalances: endpoint({
    method: 'GET',
    path,
    access: 'admin',
    roles: everyRole,
    query: z.strictObject({
      ...pageQuery(),
      list: z._default(z.enum(unclaimedLists, { error: errorMessages.validation }), 'waiting'),
      /** A part of a reference or of the number of the closed account. */
      search: z.optional(search),
    }),
    data: z.object({
      balances: z.array(UnclaimedBalance),
      ...pages,
      totalBalances: z.number(),
      /** The balance of the ledger's account for unclaimed balances. A search does not change it. */
      unclaimed: money,
    }),
    message: unclaimedMessages.balances,
    summary:
      'Money of closed accounts: the balances that wait, oldest first, or those paid out, newest first',
  }),
  payOutUnclaimed: endpoint({
    ...payout,
    path: `${path}/{id}/pay-out`,
    body: z.extend(z.omit(ExternalTransfer, { amount: true, description: true }), {
      // Staff type the bank's name; only customers choose it from a list.
      bankName: requiredLine(maxLength.bankName, transferMessages.customBankName),
      reason,
    }),
    message: 'Payout sent to the other bank',
    summary: 'Pay an unclaimed balance to an account at another bank, once and in full',
  }),
  assignUnclaimed: endpoint({
    ...payout,
    path: `${path}/{id}/assign`,
    body: z.strictObject({ receiverAccountNumber: accountNumberText, reason }),
    message: 'Balance credited to the customer',
    refusals: [...payout.refusals, 'ACCOUNT_PENDING'],
    summary: 'Credit an unclaimed balance to the account of a customer, once and in full',
  }),
};
