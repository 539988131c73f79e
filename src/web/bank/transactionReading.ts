/**
 * The texts of one transaction for the customer who views it: direction, title, other party, sign and status, by the rules of
 * the specification's chapter 2. Every list of a customer's transactions shows these and adds no rules of its own.
 */
import { bank } from '#contract/constants.ts';
import type { Transaction } from '#contract/entities.ts';
import { fullName } from '#contract/fullName.ts';
import { fill } from '#contract/messages/fill.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import { type Cents, dollarsToCents } from '#contract/money.ts';
import * as words from './words.ts';

/** A transaction's texts, from one customer's side. */
export type TransactionReading = {
  /** `credit` came from the bank, `bank` went to another bank, `returned` came back. */
  direction: 'in' | 'out' | 'credit' | 'bank' | 'returned';
  title: string;
  /** The other party's name. */
  partyName: string;
  /** 'From: …' or 'To: …': the other party. */
  party: string;
  /** The description; for a pending payment, how long it takes or what it waits for. Absent if there is none. */
  note: string | undefined;
  amountCents: Cents;
  received: boolean;
  /** No money moved in the end: the amount is struck through. */
  void: boolean;
  statusText: string;
};

/** A transaction's kind in a word or two. */
export const typeTexts: Record<Transaction['type'], string> = transactionsMessages.types;

export const statusTexts: Record<Transaction['status'], string> = transactionsMessages.statuses;

/** Returns a transaction's texts from the side of the customer with the id `customerId`. */
export function readTransaction(transaction: Transaction, customerId: string): TransactionReading {
  const { type, status, externalBankDetails: details, returnReason, isHeld } = transaction;
  const external = type === 'external-transfer';
  const deposit = type === 'deposit';
  const received =
    !external && (type === 'admin-credit' || deposit || transaction.receiver?._id === customerId);
  const returned = external && status === 'failed';
  const partyName =
    external || deposit
      ? (details?.accountName ?? '')
      : received
        ? (nameOf(transaction.sender) ?? transactionsMessages.system)
        : // The amount of a reversed credit goes back to the bank.
          (nameOf(transaction.receiver) ??
          (type === 'reversal' ? bank.name : transactionsMessages.closedAccount));
  const takesDays = external && status === 'pending';
  return {
    direction: returned
      ? 'returned'
      : external
        ? 'bank'
        : type === 'admin-credit'
          ? 'credit'
          : received
            ? 'in'
            : 'out',
    title: titleOf(transaction, received),
    partyName,
    party: external
      ? fill(transactionsMessages.toExternalParty, {
          name: partyName,
          accountNumber: details?.accountNumber ?? '',
        })
      : fill(received ? transactionsMessages.fromParty : transactionsMessages.toParty, { name: partyName }),
    note:
      (takesDays ? (isHeld ? words.held : transactionsMessages.businessDays) : transaction.description) ||
      undefined,
    amountCents: dollarsToCents(transaction.amount) ?? 0n,
    received,
    void: status === 'failed',
    statusText: returned
      ? `${transactionsMessages.failed}, ${returnReason === transactionsMessages.canceledReason ? transactionsMessages.canceled : transactionsMessages.returned}`
      : statusTexts[status],
  };
}

function titleOf({ type, externalBankDetails }: Transaction, received: boolean): string {
  if (type === 'admin-credit') return transactionsMessages.titleAdminCredit;
  if (type === 'reversal') return transactionsMessages.titleReversal;
  if (type === 'external-transfer')
    return fill(transactionsMessages.titleExternal, { bank: externalBankDetails?.bankName ?? '' });
  return received ? transactionsMessages.titleReceived : transactionsMessages.titleSent;
}

/** First and last name with a space; undefined if there is no person. */
export function nameOf(person: { firstName: string; lastName: string } | undefined): string | undefined {
  return person && fullName(person);
}
