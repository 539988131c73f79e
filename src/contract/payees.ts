/** Calls of the payees area: accounts that a customer saved to pay again. */
import * as z from 'zod/mini';
import { accountNumber, maxLength } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { id, line, moment, requiredLine } from './fields.ts';
import * as payeesMessages from './messages/payees.ts';
import * as transferMessages from './messages/transfer.ts';
import { externalAccountNumberText } from './transfer.ts';

/** Whether the account is at this bank or at another one. */
const payeeKinds = ['internal', 'external'] as const;

const Payee = z.object({
  _id: z.string(),
  kind: z.enum(payeeKinds),
  /** The holder's current name at this bank; at another bank the name that was typed. */
  name: z.string(),
  accountNumber: z.string(),
  bankName: z.optional(z.string()),
  nickname: z.optional(z.string()),
  createdAt: moment,
  /** The last time this customer sent money to the account. */
  lastPaidAt: z.optional(moment),
});
export type Payee = z.input<typeof Payee>;
export type DecodedPayee = z.output<typeof Payee>;

const nickname = line(maxLength.nickname);
const isInternalNumber = new RegExp(`^[0-9]{${accountNumber.digits}}$`);

const NewPayee = z
  .strictObject({
    kind: z.enum(payeeKinds),
    accountNumber: externalAccountNumberText,
    bankName: z.optional(requiredLine(maxLength.bankName, transferMessages.bankName)),
    accountName: z.optional(requiredLine(maxLength.accountName, transferMessages.accountName)),
    nickname: z._default(nickname, ''),
  })
  .check(
    z.refine(({ kind, accountNumber: number }) => kind === 'external' || isInternalNumber.test(number), {
      path: ['accountNumber'],
      error: transferMessages.accountNumberFormat,
    }),
    z.refine(({ kind, bankName }) => kind === 'internal' || bankName !== undefined, {
      path: ['bankName'],
      error: transferMessages.bankName,
    }),
    z.refine(({ kind, accountName }) => kind === 'internal' || accountName !== undefined, {
      path: ['accountName'],
      error: transferMessages.accountName,
    }),
  );

const path = '/api/v1/user/payees';
const payeePath = '/api/v1/user/payees/{id}';

export const payeesApi = {
  listPayees: endpoint({
    method: 'GET',
    path,
    access: 'customer',
    data: z.array(Payee),
    message: payeesMessages.payees,
    summary: 'The saved payees, the most recently paid first',
  }),
  addPayee: endpoint({
    method: 'POST',
    path,
    access: 'customer',
    quota: 'additions',
    notWhileFrozen: true,
    findsReceiver: true,
    body: NewPayee,
    status: 201,
    data: Payee,
    message: payeesMessages.saved,
    refusals: ['NOT_FOUND', 'CONFLICT', 'SAME_ACCOUNT'],
    summary: 'Save an account to pay again',
  }),
  renamePayee: endpoint({
    method: 'PUT',
    path: payeePath,
    access: 'customer',
    quota: 'changes',
    notWhileFrozen: true,
    params: z.strictObject({ id }),
    body: z.strictObject({ nickname }),
    data: Payee,
    message: 'Nickname saved',
    refusals: ['NOT_FOUND'],
    summary: 'Change the nickname of a payee; an empty one removes it',
  }),
  removePayee: endpoint({
    method: 'DELETE',
    path: payeePath,
    access: 'customer',
    quota: 'changes',
    notWhileFrozen: true,
    params: z.strictObject({ id }),
    message: 'Payee removed',
    refusals: ['NOT_FOUND'],
    summary: 'Remove a saved payee',
  }),
};
