/**
 * The payment rail, which carries money to other banks. A payment is submitted, and some days later the rail is asked for its
 * outcome. It also delivers payments from other banks, which `npm run rail` starts. This implementation is a sandbox: the outcome depends only on the payment, so every process gets the same answer.
 */
import { randomUUID } from 'node:crypto';
import { calendarDay } from '#contract/bankTime.ts';
import { externalTransfer } from '#contract/constants.ts';
import { addBusinessDays } from './businessDays.ts';
import type { Clock } from './clock.ts';

/** `id`: the transaction's id (UUIDv7). It identifies the payment, so submitting it again has no effect. */
export type Payment = {
  id: string;
  /** When the customer sent it; in the demonstration's history, earlier than the time in the id. */
  sentAt: Date;
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
/** Morning in New York, in summer and in winter. */
const answersComeAt = 'T14:00:00Z';
const minWaitMs = 1_000;

/** The time of an answer that takes `businessDays` business days. */
export function answeredAt(madeAt: Date, businessDays: number): Date {
  return new Date(addBusinessDays(calendarDay(madeAt), businessDays) + answersComeAt);
}

/**
 * Opens the sandbox rail. After three to seven business days, derived from its id, a payment is returned if the account number
 * ends in `0000`, and settled otherwise. A business day takes `daySeconds`: with the real length the calendar of American
 * banks applies; shorter days are all business days.
 */
export function openSandboxRail(clock: Clock, daySeconds: number): PaymentRail {
  const isReal = daySeconds === externalTransfer.daySeconds;
  const knownAt = ({ id }: Payment): Date => {
    // The first 48 bits of a UUIDv7 are its creation time in milliseconds; the last bits are random.
    const madeAt = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
    const choices = mostBusinessDays - fewestBusinessDays + 1;
    const days = fewestBusinessDays + (Number.parseInt(id.slice(-8), 16) % choices);
    if (!isReal) return new Date(madeAt + days * daySeconds * 1000);
    return answeredAt(new Date(madeAt), days);
  };
  return {
    async submit(payment) {
      const at = knownAt(payment);
      // Even with simulated days of a few seconds, the customer is shown a real calendar day.
      return { knownAt: at, expectedAt: isReal ? at : answeredAt(payment.sentAt, mostBusinessDays) };
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
