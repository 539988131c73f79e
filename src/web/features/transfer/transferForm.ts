/**
 * What stands in the form, and what is wrong with it before anything is sent. The rules are the contract's own; added is only
 * what the form knows better: the check digit, the lookup, the balance.
 */
import * as z from 'zod/mini';
import { messages } from '#contract/messages.ts';
import { type Cents, centsToDollars, typedToCents } from '#contract/money.ts';
import { ExternalTransfer, InternalTransfer } from '#contract/transfer.ts';
import { otherBank } from './banks.ts';
import type { Receiver } from './receiver.ts';
import type { Sending } from './sendMoney.ts';

export type TransferKind = Sending['kind'];

/** The kinds the screen offers; with one alone there is no switch. */
export const openKinds: readonly TransferKind[] = ['internal'];

/** Every field as text, as it was typed (chapter 3, Transfer form). */
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

/** The first thing wrong, in the sentence the banner says, and the field it is about. */
export type Problem = { field: TransferField; message: string };

/** The amount typed, or nothing when it is none. */
export function amountOf(form: TransferForm): Cents | undefined {
  return typedToCents(form.amount);
}

/** What would be sent. An amount that is none travels as NaN, which the contract's rule refuses. */
export function sendingOf(kind: TransferKind, form: TransferForm): Sending {
  const cents = amountOf(form);
  const amount = cents === undefined ? Number.NaN : centsToDollars(cents);
  const { receiverAccountNumber, description, accountName } = form;
  if (kind === 'internal') return { kind, body: { receiverAccountNumber, amount, description } };
  const bankName = form.bankName === otherBank ? form.customBankName : form.bankName;
  // People write IBANs in groups of four.
  const accountNumber = receiverAccountNumber.replace(/\s/g, '');
  return { kind, body: { bankName, accountNumber, accountName, amount, description } };
}

/** Finds the first problem from top to bottom; `balance` is unknown while it loads, and then the bank alone judges. */
export function findProblem(
  sending: Sending,
  form: TransferForm,
  receiver: Receiver,
  balance: Cents | undefined,
): Problem | undefined {
  if (sending.kind === 'internal' && receiver.state !== 'found') {
    return { field: 'receiverAccountNumber', message: receiver.message };
  }
  const read =
    sending.kind === 'internal'
      ? z.safeParse(InternalTransfer, sending.body)
      : z.safeParse(ExternalTransfer, sending.body);
  const issue = read.error?.issues[0];
  if (issue) return { field: fieldOf(String(issue.path[0]), form), message: issue.message };
  if (balance !== undefined && (amountOf(form) ?? 0n) > balance) {
    return { field: 'amount', message: messages.transfer.insufficientBalance };
  }
  return undefined;
}

function fieldOf(name: string, form: TransferForm): TransferField {
  if (name === 'accountNumber') return 'receiverAccountNumber';
  if (name === 'bankName' && form.bankName === otherBank) return 'customBankName';
  return name in emptyForm ? (name as TransferField) : 'amount';
}
