/** How the panel describes a transaction: status, sender, receiver, and the other bank if there is one. */
import type { Transaction, TransactionStory } from '#contract/entities.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import { nameOf } from '#web/bank/transactionReading.ts';
import { words } from '../words.ts';

/** Below the status of a transaction that was reversed. */
export const reversedText = 'Reversed';

/** The state of an external transfer on the payment rail. */
export function railText(status: Transaction['status']): string {
  return { pending: words.onItsWay, completed: words.arrived, failed: transactionsMessages.returned }[status];
}

/** The sender's name: a customer, the sender of a deposit and their bank, or 'System' for the bank itself. */
export function payerOf({ sender, type, externalBankDetails: details }: Transaction): string {
  if (type === 'deposit' && details)
    return [details.accountName, details.bankName].filter(Boolean).join(' · ');
  return nameOf(sender) ?? transactionsMessages.system;
}

/**
 * The receiver's name: a customer, the holder at another bank, or 'System' for the bank itself. The bank gets the last balance
 * of a closed account, and the amount of a reversed credit.
 */
export function payeeOf({ receiver, externalBankDetails }: Transaction): string {
  return nameOf(receiver) ?? externalBankDetails?.accountName ?? transactionsMessages.system;
}

/** Who gets the money of a reversed transaction: its sender, or the bank's own account that it came from. */
export function refundedOf(transaction: TransactionStory): string {
  const { sender, bankAccount } = transaction;
  return !sender && bankAccount ? words.bankAccounts[bankAccount] : payerOf(transaction);
}

/** Bank and account number of an external transfer; undefined for every other transaction. */
export function otherBankOf({ type, externalBankDetails: details }: Transaction) {
  return type === 'external-transfer' && details
    ? { bankName: details.bankName, accountNumber: details.accountNumber }
    : undefined;
}

/**
 * Whether a transaction is of a kind that can be reversed and was not reversed yet. The bank refuses it if a side is closed
 * (`hasClosedSide`) or the receiver's balance is too small.
 */
export function isReversible({ type, status, sender, receiver, reversedBy }: TransactionStory): boolean {
  if (status !== 'completed' || reversedBy) return false;
  return type === 'admin-credit' || (type === 'transfer' && sender !== undefined && receiver !== undefined);
}

/** Whether the account of this side is closed. */
export const isClosed = (side: Transaction['sender']) =>
  side?.firstName === transactionsMessages.closedAccount;

export const hasClosedSide = ({ sender, receiver }: Transaction) => isClosed(sender) || isClosed(receiver);
