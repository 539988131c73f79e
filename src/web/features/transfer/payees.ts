/** Compares payees with what is typed: which of them match a search, and whether a receiver is saved already. */
import type { Payee } from '#contract/payees.ts';
import { checkExternalNumber } from '#web/bank/externalNumber.ts';
import type { Holder } from '#web/bank/holder.ts';
import type { Sending } from './sending.ts';

/** What the customer calls a payee. */
export const titleOf = ({ nickname, name }: Payee) => nickname ?? name;

const withoutAccents = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();

/** The payees with every word of the text in their name, nickname, bank or account number. Keeps the order. */
export function findPayees(payees: readonly Payee[], text: string): Payee[] {
  const words = withoutAccents(text).split(/\s+/).filter(Boolean);
  return payees.filter(({ name, nickname = '', bankName = '', accountNumber }) => {
    const searched = withoutAccents(`${name} ${nickname} ${bankName} ${accountNumber}`);
    return words.every(word => searched.includes(word));
  });
}

/** The receiver of a transfer, as a payee to save. */
export function receiverOf({ kind, body }: Sending) {
  if (kind === 'internal') return { kind, accountNumber: body.receiverAccountNumber };
  const { bankName, accountName, accountNumber } = body;
  return { kind, bankName, accountName, accountNumber };
}

/** Whether a receiver can be saved: found at this bank, or complete for another bank. */
export function isComplete({ kind, body }: Sending, receiver: Holder<unknown>): boolean {
  if (kind === 'internal') return receiver.state === 'found';
  const { bankName, accountName, accountNumber } = body;
  return Boolean(bankName.trim() && accountName.trim() && !checkExternalNumber(accountNumber).message);
}

/** The saved payee with this account number at the same bank. */
export function findSaved(
  payees: readonly Payee[],
  { accountNumber, bankName }: { accountNumber: string; bankName?: string },
): Payee | undefined {
  return payees.find(
    payee =>
      payee.accountNumber === accountNumber.toUpperCase() &&
      (payee.bankName ?? '') === (bankName ?? '').trim(),
  );
}
