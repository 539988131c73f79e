/**
 * The payment rail, which carries money to other banks. A payment is submitted, and some days later the rail is asked for its
 * outcome. It also delivers payments from other banks, which `npm run rail` starts. This implementation is a sandbox: the
 * outcome depends only on the payment, so every process gets the same answer.
 */
import { randomUUID } from 'node:crypto';
import { calendarDay, clockTime } from '#contract/bankTime.ts';
import { externalTransfer } from '#contract/constants.ts';
import { addBusinessDays } from './businessDays.ts';
import type { Clock } from './clock.ts';

/** `id`: the transaction's id (UUIDv7). It identifies the payment, so submitting it again has no effect. */
export type Payment = {
  id: string;
  /** When the customer sent it; in the demonstration's history, earlier than the time in the id. */
  sentAt: Date;
  /** When it is submitted. */
  submittedAt: Date;
  amountCents: bigint;
  bankName: string;
  accountName: string;
  accountNumber: string;
  reference: string;
};

/** The outcome of a payment, or when to ask again. */
export type PaymentOutcome =
  | { status: 'pending'; askAgainAt: Date }
  | { status: 'settled' }
  | { status: 'returned'; reason: string };

export type PaymentRail = {
  /** The first cut-off after `at`: payments are submitted then, and can be canceled until then. */
  cutOff(at: Date): Date;
  /** The day the customer can expect a payment to arrive. */
  expectedAt(payment: Payment): Date;
  /**
   * Submits a payment, once per id. Returns when the outcome should be known and the day the customer can expect the payment
   * to arrive. Throws if the rail is unavailable.
   */
  submit(payment: Payment): Promise<{ knownAt: Date; expectedAt: Date }>;
  /** The outcome of a payment. Throws if the rail is unavailable. */
  ask(payment: Payment): Promise<PaymentOutcome>;
};

/** A payment from another bank to an account here. `ref` identifies it, so that receiving it again has no effect. */
export type IncomingPayment = {
  ref: string;
  accountNumber: string;
  amountCents: bigint;
  senderName: string;
  bankName: string;
};

/** Makes the payment that the sandbox delivers when its command is run, by default with a new reference. */
export function makeIncomingPayment({
  ref = `SR-${randomUUID()}`,
  ...payment
}: Omit<IncomingPayment, 'ref'> & { ref?: string | undefined }): IncomingPayment {
  return { ref, ...payment };
}

/** Why the sandbox returns a payment. */
export const unknownAccount = 'The other bank does not know this account';

const { fewestBusinessDays, mostBusinessDays } = externalTransfer;
/** 5 PM in New York, in summer and in winter. */
const cutOffTimes = ['T21:00:00Z', 'T22:00:00Z'];
/** Morning in New York, in summer and in winter. */
const answersComeAt = 'T14:00:00Z';
const minWaitMs = 1_000;

/** The time of an answer that takes `businessDays` business days. */
export function answeredAt(madeAt: Date, businessDays: number): Date {
  return new Date(addBusinessDays(calendarDay(madeAt), businessDays) + answersComeAt);
}

/** The first 5 PM in New York after `at` on a business day. */
function nextCutOff(at: Date): Date {
  for (let day = addBusinessDays(calendarDay(at), 0); ; day = addBusinessDays(day, 1)) {
    const cutOff = cutOffTimes.map(time => new Date(day + time)).find(one => clockTime(one) === '17:00:00')!;
    if (cutOff > at) return cutOff;
  }
}

function endOfSimulatedDay(at: Date, dayMs: number): Date {
  return new Date((Math.floor(at.getTime() / dayMs) + 1) * dayMs);
}

/**
 * Opens the sandbox rail. Three to seven business days after it is submitted, derived from its id, a payment is returned if the
 * account number ends in `0000`, and settled otherwise. A business day takes `daySeconds`: with the real length the calendar of
 * American banks applies; shorter days are all business days.
 */
export function openSandboxRail(clock: Clock, daySeconds: number): PaymentRail {
  const isReal = daySeconds === externalTransfer.daySeconds;
  const knownAt = ({ id, submittedAt }: Payment): Date => {
    const choices = mostBusinessDays - fewestBusinessDays + 1;
    const days = fewestBusinessDays + (Number.parseInt(id.slice(-8), 16) % choices);
    if (!isReal) return new Date(submittedAt.getTime() + days * daySeconds * 1000);
    return answeredAt(submittedAt, days);
  };
  // Even with simulated days of a few seconds, the customer is shown a real calendar day.
  const expectedAt = (payment: Payment): Date =>
    isReal ? knownAt(payment) : answeredAt(payment.sentAt, mostBusinessDays);
  return {
    cutOff: at => (isReal ? nextCutOff(at) : endOfSimulatedDay(at, daySeconds * 1000)),
    expectedAt,
    async submit(payment) {
      return { knownAt: knownAt(payment), expectedAt: expectedAt(payment) };
    },
    async ask(payment) {
      const at = knownAt(payment);
      const now = clock.now();
      if (now < at) {
        // A minimum delay, in case this clock is slightly behind the one that triggered the call.
        const askAgainAt = new Date(Math.max(at.getTime(), now.getTime() + minWaitMs));
        return { status: 'pending', askAgainAt };
      }
      const isUnknown = payment.accountNumber.endsWith('0000');
      return isUnknown ? { status: 'returned', reason: unknownAccount } : { status: 'settled' };
    },
  };
}
