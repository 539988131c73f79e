/**
 * The form's values and their validation before anything is sent. The rules are the contract's own, plus those that need
 * answers from the bank: the receiver's lookup, the balance, and the daily limit.
 */
import * as z from 'zod/mini';
import type { DailyLimit } from '#contract/limits.ts';
import { fill } from '#contract/messages/fill.ts';
import * as limitsMessages from '#contract/messages/limits.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import {
  type Cents,
  centsToDollars,
  dollarsToCents,
  formatCents,
  formatDollars,
  typedToCents,
} from '#contract/money.ts';
import { ExternalTransfer, InternalTransfer } from '#contract/transfer.ts';
import { plainNumber } from '#contract/typedNumbers.ts';
import { whyNoAmount } from '#web/bank/amountRule.ts';
import { atField, bankOf } from '#web/bank/banks.ts';
import type { Holder } from '#web/bank/holder.ts';
import type { Sending } from './sending.ts';
import { words } from './words.ts';

export type TransferKind = Sending['kind'];

/** Every field as typed text (specification, chapter 3, Transfer form). */
export type TransferForm = {
  receiverAccountNumber: string;
  amount: string;
  description: string;
  bankName: string;
  customBankName: string;
  accountName: string;
};
export type TransferField = keyof TransferForm;

export const emptyForm: TransferForm = {
  receiverAccountNumber: '',
  amount: '',
  description: '',
  bankName: '',
  customBankName: '',
  accountName: '',
};

/** What is wrong with a field: the sentence, and how to fix it if there is more to say. */
export type Problem = { field: TransferField; message: string; reason?: string };

/** The typed amount, or undefined if it is not an amount. */
export function amountOf(form: TransferForm): Cents | undefined {
  return typedToCents(form.amount);
}

/** Returns the transfer to send. An invalid amount becomes NaN, which the contract's rule refuses. */
export function sendingOf(kind: TransferKind, form: TransferForm): Sending {
  const cents = amountOf(form);
  const amount = cents === undefined ? Number.NaN : centsToDollars(cents);
  const { receiverAccountNumber, description, accountName } = form;
  if (kind === 'internal') return { kind, body: { receiverAccountNumber, amount, description } };
  const accountNumber = plainNumber(receiverAccountNumber);
  return { kind, body: { bankName: bankOf(form), accountNumber, accountName, amount, description } };
}

/** Describes the daily limit with its figures. Returns undefined if there is no limit, or while it loads. */
export function describeLimit(limit: DailyLimit | undefined): string | undefined {
  if (!limit) return undefined;
  const { dailyOut, sentToday, leftToday } = limit;
  if (dailyOut === null || sentToday === null || leftToday === null) return undefined;
  return fill(words.dailyLimit, {
    limit: formatDollars(dailyOut),
    sent: formatDollars(sentToday),
    left: formatDollars(leftToday),
  });
}

const fieldOrder: readonly TransferField[] = [
  'bankName',
  'customBankName',
  'accountName',
  'receiverAccountNumber',
  'amount',
  'description',
];

/**
 * Returns every wrong field from top to bottom, each with its first problem. While `balance` or `limit` loads, it is undefined,
 * and only the bank checks the amount against it. A receiver who is being looked up is not a problem.
 */
export function findProblems(
  sending: Sending,
  form: TransferForm,
  receiver: Holder<unknown>,
  balance: Cents | undefined,
  isBalanceHidden = false,
  limit?: DailyLimit,
): Problem[] {
  const found = new Map<TransferField, Problem>();
  const add = (problem: Problem) => found.has(problem.field) || found.set(problem.field, problem);
  if (sending.kind === 'internal' && receiver.state !== 'found' && receiver.state !== 'verifying')
    add({ field: 'receiverAccountNumber', message: receiver.message });
  const read =
    sending.kind === 'internal'
      ? z.safeParse(InternalTransfer, sending.body)
      : z.safeParse(ExternalTransfer, sending.body);
  for (const issue of read.error?.issues ?? []) {
    const [name, message] = atField(String(issue.path[0]), issue.message, form);
    const field = name in emptyForm ? (name as TransferField) : 'amount';
    const reason = field === 'amount' ? whyNoAmount(form.amount) : undefined;
    add({ field, message, ...(reason && { reason }) });
  }
  if (balance !== undefined && (amountOf(form) ?? 0n) > balance) {
    const reason = isBalanceHidden
      ? undefined
      : fill(transferMessages.youHave, { balance: formatCents(balance) });
    add({ field: 'amount', message: transferMessages.insufficientBalance, ...(reason && { reason }) });
  }
  const left = limit?.leftToday ?? undefined;
  if (left !== undefined && (amountOf(form) ?? 0n) > (dollarsToCents(left) ?? 0n)) {
    const reason = isBalanceHidden ? undefined : describeLimit(limit);
    add({ field: 'amount', message: limitsMessages.exceeded, ...(reason && { reason }) });
  }
  return fieldOrder.flatMap(field => found.get(field) ?? []);
}
