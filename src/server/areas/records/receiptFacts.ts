/** What a receipt says about a transaction. Customers show receipts to the other party, so a receipt has no balance. */
import { formatAccountNumber } from '#contract/accountNumber.ts';
import { dayAndTime } from '#contract/bankTime.ts';
import { bank } from '#contract/constants.ts';
import { fullName } from '#contract/fullName.ts';
import { fill } from '#contract/messages/fill.ts';
import * as recordsMessages from '#contract/messages/records.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import { formatCents } from '#contract/money.ts';
import type { Receipt } from '../../documents/receipt.ts';
import type { readTransaction } from '../../ledger/history.ts';

type Detail = NonNullable<Awaited<ReturnType<typeof readTransaction>>>;

const masked = (number: string) => fill(recordsMessages.masked, { digits: number.slice(-4) });
const nameOf = (party: Detail['sender']) => (party ? fullName(party) : bank.name);

/** The receipt of a transaction for one of its parties. The account number of the other party is masked. */
export function toReceipt(transaction: Detail, customerId: string, at: Date): Receipt {
  const {
    externalBankDetails: elsewhere,
    type,
    sender,
    receiver,
    status,
    timeline,
    returnReason,
  } = transaction;
  const numberOf = (party: Detail['sender'], number: string | undefined) =>
    number === undefined
      ? undefined
      : party?._id === customerId
        ? formatAccountNumber(number)
        : masked(number);
  const isDeposit = type === 'deposit';
  const other = isDeposit ? undefined : elsewhere;
  const returned = timeline.find(({ step }) => step === 'returned');
  const isCanceled = returnReason === transactionsMessages.canceledReason;
  const back = isCanceled ? transactionsMessages.canceled : transactionsMessages.returned;
  const settled = timeline.find(({ step }) => step === 'settled');
  const facts: [label: string, value: string | undefined][] = [
    [recordsMessages.status, returned ? back : transactionsMessages.statuses[status]],
    [recordsMessages.dateAndTime, dayAndTime(transaction.timestamp)],
    [recordsMessages.from, isDeposit && elsewhere ? elsewhere.accountName : nameOf(sender)],
    [recordsMessages.fromBank, isDeposit ? elsewhere?.bankName : undefined],
    [recordsMessages.fromAccount, numberOf(sender, transaction.senderAccountNumber)],
    [recordsMessages.to, other ? other.accountName : nameOf(receiver)],
    [recordsMessages.toBank, other?.bankName],
    [
      recordsMessages.toAccount,
      other ? masked(other.accountNumber) : numberOf(receiver, transaction.receiverAccountNumber),
    ],
    [recordsMessages.description, transaction.description],
    [recordsMessages.reference, transaction.reference],
    [recordsMessages.arrivedAt, settled && dayAndTime(settled.at)],
    [back, returned && dayAndTime(returned.at)],
    [recordsMessages.returnReason, isCanceled ? undefined : returnReason],
  ];
  const note = returned
    ? recordsMessages.returnedReceipt
    : transaction.isHeld
      ? recordsMessages.heldReceipt
      : status === 'pending'
        ? recordsMessages.pendingReceipt
        : transaction.reversedBy
          ? recordsMessages.reversedReceipt
          : type === 'reversal'
            ? recordsMessages.reversalReceipt
            : undefined;
  return {
    at,
    reference: transaction.reference,
    amount: formatCents(transaction.amount),
    facts: facts.filter((fact): fact is [string, string] => Boolean(fact[1])),
    ...(note !== undefined && { note }),
  };
}
