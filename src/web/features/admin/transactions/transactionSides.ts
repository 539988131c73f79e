/** How a transaction reads to the bank itself: its kind in words, who paid, who was paid, and the other bank if there is one. */
import type { Transaction } from '#contract/entities.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import { nameOf } from '#web/bank/transactionReading.ts';
import { words } from '../words.ts';

/** Where an external transfer is on the payment rail. */
export function railText(status: Transaction['status']): string {
  return { pending: words.onItsWay, completed: words.arrived, failed: transactionsMessages.returned }[status];
}

/** Who paid; the bank itself is 'System'. */
export function payerOf(transaction: Transaction): string {
  return nameOf(transaction.sender) ?? transactionsMessages.system;
}

/** Who was paid: a customer, the holder of the account at the other bank, or the bank itself: what a closed account held. */
export function payeeOf({ receiver, externalBankDetails }: Transaction): string {
  return nameOf(receiver) ?? externalBankDetails?.accountName ?? transactionsMessages.system;
}

/** Bank and account number of an external transfer; `undefined` for every other. */
export function otherBankOf({ type, externalBankDetails: details }: Transaction) {
  return type === 'external-transfer' && details
    ? { bankName: details.bankName, accountNumber: details.accountNumber }
    : undefined;
}
