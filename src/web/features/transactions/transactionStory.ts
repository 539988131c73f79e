/** What has become of a transaction, told step by step from its customer's side. Moments are as on the wire. */
import type { TransactionDetail } from '#contract/entities.ts';
import { fill, messages } from '#contract/messages.ts';
import { dayWithWeekday } from '#web/ui/bankTime.ts';
import { words } from './words.ts';

const texts = messages.transactions;

/** A step that was taken at a moment, one that is still to come, or the money's way back. */
export type StoryStep = {
  state: 'done' | 'next' | 'back';
  title: string;
  /** When it happened; what is still to come has none. */
  at?: string;
  /** Sentences beside it. */
  notes: string[];
};

/** The steps oldest first; a pending external transfer ends with the one that is expected. */
export function tellStory(transaction: TransactionDetail, received: boolean): StoryStep[] {
  const { type, status, timeline, expectedBy, returnReason, externalBankDetails } = transaction;
  const external = type === 'external-transfer';
  const steps = timeline.map(({ step, at }): StoryStep => {
    if (step === 'settled') {
      const title = fill(words.arrived, { bank: externalBankDetails?.bankName ?? '' });
      return { state: 'done', title, at, notes: [] };
    }
    if (step === 'returned') {
      const reason = returnReason ? [fill(words.reason, { reason: returnReason })] : [];
      return { state: 'back', title: texts.returned, at, notes: [...reason, texts.inBalanceAgain] };
    }
    if (external) return { state: 'done', title: words.left, at, notes: [] };
    if (type === 'admin-credit') return { state: 'done', title: words.credited, at, notes: [] };
    return received
      ? { state: 'done', title: words.received, at, notes: [] }
      : { state: 'done', title: words.sent, at, notes: [words.atOnce] };
  });
  if (external && status === 'pending') {
    const title = expectedBy ? fill(words.expectedBy, { day: dayWithWeekday(expectedBy) }) : words.onItsWay;
    steps.push({ state: 'next', title, notes: [texts.businessDays] });
  }
  return steps;
}
