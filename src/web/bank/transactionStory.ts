/** The history of a transaction, step by step, from one party's side. Times are as in the API response. */
import { dayWithWeekday } from '#contract/bankTime.ts';
import type { TransactionStory } from '#contract/entities.ts';
import { fill } from '#contract/messages/fill.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import { nameOf } from './transactionReading.ts';
import * as words from './words.ts';

/** Who views it. `bank` is the staff. */
export type StorySide = 'sender' | 'receiver' | 'bank';

/** A completed step, a step that is still to come, or the money's return. */
export type StoryStep = {
  state: 'done' | 'next' | 'back';
  title: string;
  /** When it happened. A step that is still to come has no time. Neither has a reversal that a server of 1.0.0 returned. */
  at?: string;
  /** Sentences next to the step. */
  notes: string[];
};

/** The steps, oldest first. A pending external transfer ends with the step that is still expected. */
export function tellStory(transaction: TransactionStory, side: StorySide): StoryStep[] {
  const {
    type,
    status,
    receiver,
    timeline,
    isHeld,
    expectedBy,
    returnReason,
    externalBankDetails,
    reversedBy,
    reversedAt,
  } = transaction;
  const external = type === 'external-transfer';
  const steps = timeline.map(({ step, at }): StoryStep => {
    if (step === 'settled') {
      const title = fill(words.arrived, { bank: externalBankDetails?.bankName ?? '' });
      return { state: 'done', title, at, notes: [] };
    }
    if (step === 'returned') {
      const isCanceled = returnReason === transactionsMessages.canceledReason;
      const reason = returnReason && !isCanceled ? [fill(words.reason, { reason: returnReason })] : [];
      return {
        state: 'back',
        title: isCanceled ? transactionsMessages.canceled : transactionsMessages.returned,
        at,
        notes: [...reason, backNote(transaction, side)],
      };
    }
    if (external) return { state: 'done', title: leftTitle(transaction, side), at, notes: [] };
    if (type === 'admin-credit') return { state: 'done', title: words.credited, at, notes: [] };
    if (type === 'reversal') return { state: 'done', title: words.reversed, at, notes: [] };
    if (type === 'transfer' && side === 'bank' && !receiver)
      return { state: 'done', title: words.toUnclaimed, at, notes: [] };
    return side === 'receiver' || type === 'deposit'
      ? { state: 'done', title: words.received, at, notes: [] }
      : { state: 'done', title: words.sent, at, notes: [words.atOnce] };
  });
  if (reversedBy) {
    steps.push({ state: 'back', title: words.reversed, ...(reversedAt && { at: reversedAt }), notes: [] });
  } else if (external && status === 'pending' && isHeld) {
    steps.push({ state: 'next', title: side === 'bank' ? words.heldAtBank : words.held, notes: [] });
  } else if (external && status === 'pending') {
    const title = expectedBy ? fill(words.expectedBy, { day: dayWithWeekday(expectedBy) }) : words.onItsWay;
    steps.push({ state: 'next', title, notes: [transactionsMessages.businessDays] });
  }
  return steps;
}

function leftTitle({ sender }: TransactionStory, side: StorySide): string {
  if (side !== 'bank') return words.left;
  const name = nameOf(sender);
  // A transaction without a sender paid out an unclaimed balance.
  return name === undefined ? words.leftUnclaimed : fill(words.leftSender, { name });
}

function backNote({ sender, returnedToUnclaimed }: TransactionStory, side: StorySide): string {
  if (side !== 'bank') return transactionsMessages.inBalanceAgain;
  const name = (!returnedToUnclaimed && nameOf(sender)) || words.unclaimed;
  return name === transactionsMessages.closedAccount
    ? words.backBeforeClosing
    : fill(words.backAtSender, { name });
}
