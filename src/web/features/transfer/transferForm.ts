/**
 * The form's values and their validation before anything is sent. The rules are the contract's own, plus what only the form
 * can check: the check digit, the lookup, the balance.
 */
import * as z from 'zod/mini';
import { fill } from '#contract/messages/fill.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { type Cents, centsToDollars, formatCents, typedToCents } from '#contract/money.ts';
import {
  ExternalTransfer,
  formatExternalNumber,
  InternalTransfer,
  looksLikeIban,
} from '#contract/transfer.ts';
import { plainNumber } from '#contract/typedNumbers.ts';
import type { Holder } from '#web/bank/holder.ts';
import { otherBank } from './banks.ts';
import type { Sending } from './sendMoney.ts';

export type TransferKind = Sending['kind'];

/** Every field as typed text (chapter 3, Transfer form). */
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

/** The first problem: the banner's sentence, whether money moved, and the field. */
export type Problem = { field: TransferField; message: string; detail: string };

/** The typed amount, or undefined if it is not an amount. */
export function amountOf(form: TransferForm): Cents | undefined {
  return typedToCents(form.amount);
}

/** Checks another bank's account number by the contract's rule. Returns the error, or the formatted number if it is valid. */
export function checkExternalNumber(text: string): { message?: string; isIban: boolean; shown: string } {
  const read = z.safeParse(ExternalTransfer.shape.accountNumber, plainNumber(text));
  if (!read.success) return { message: read.error.issues[0]!.message, isIban: false, shown: text };
  return { isIban: looksLikeIban(read.data), shown: formatExternalNumber(read.data) };
}

/** Returns the transfer to send. An invalid amount becomes NaN, which the contract's rule refuses. */
export function sendingOf(kind: TransferKind, form: TransferForm): Sending {
  const cents = amountOf(form);
  const amount = cents === undefined ? Number.NaN : centsToDollars(cents);
  const { receiverAccountNumber, description, accountName } = form;
  if (kind === 'internal') return { kind, body: { receiverAccountNumber, amount, description } };
  const bankName = form.bankName === otherBank ? form.customBankName : form.bankName;
  const accountNumber = plainNumber(receiverAccountNumber);
  return { kind, body: { bankName, accountNumber, accountName, amount, description } };
}

/** Returns the first problem from top to bottom. `balance` is undefined while it loads; then only the bank checks it. */
export function findProblem(
  sending: Sending,
  form: TransferForm,
  receiver: Holder<unknown>,
  balance: Cents | undefined,
): Problem | undefined {
  if (sending.kind === 'internal' && receiver.state !== 'found') {
    const detail = receiver.state === 'mistyped' ? '' : transferMessages.nothingSent;
    return { field: 'receiverAccountNumber', message: receiver.message, detail };
  }
  const read =
    sending.kind === 'internal'
      ? z.safeParse(InternalTransfer, sending.body)
      : z.safeParse(ExternalTransfer, sending.body);
  const issue = read.error?.issues[0];
  if (issue) {
    const field = fieldOf(String(issue.path[0]), form);
    // The 'other bank' entry is already chosen; only its name is missing.
    const nameless = field === 'customBankName' && form.customBankName.trim() === '';
    return {
      field,
      message: nameless ? transferMessages.customBankName : issue.message,
      detail: transferMessages.nothingSent,
    };
  }
  const amount = amountOf(form) ?? 0n;
  if (balance !== undefined && amount > balance) {
    const detail = fill(transferMessages.notEnough, {
      balance: formatCents(balance),
      amount: formatCents(amount),
    });
    return { field: 'amount', message: transferMessages.insufficientBalance, detail };
  }
  return undefined;
}

function fieldOf(name: string, form: TransferForm): TransferField {
  if (name === 'accountNumber') return 'receiverAccountNumber';
  if (name === 'bankName' && form.bankName === otherBank) return 'customBankName';
  return name in emptyForm ? (name as TransferField) : 'amount';
}
