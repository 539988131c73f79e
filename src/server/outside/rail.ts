/**
 * The payment rail: what carries money to other banks. It is told of a payment, and asked some days later what became
 * of it. The one here is a sandbox that decides by the payment alone, so that every process, asked however often, says
 * the same.
 */
import { calendarDay } from '#contract/bankTime.ts';
import { externalTransfer } from '#contract/constants.ts';
import { addBusinessDays } from './businessDays.ts';
import type { Clock } from './clock.ts';

/** `id` is the transaction's, a UUIDv7: the rail knows a payment by it, however often it is submitted. */
export type Payment = {
  id: string;
  /** When the customer sent it; in a demonstration's history long before the id was made. */
  sentAt: Date;
  amountCents: bigint;
  bankName: string;
  accountName: string;
  accountNumber: string;
  reference: string;
};

/** What became of a payment; one that is still on its way says when to ask again. */
export type PaymentFate =
  | { status: 'pending'; askAgainAt: Date }
  | { status: 'settled' }
  | { status: 'returned'; reason: string };

export type PaymentRail = {
  /**
   * Takes a payment on, once for each id, and says when its fate should be known, and by when the customer is to expect
   * it. Throws where the rail is away.
   */
  submit(payment: Payment): Promise<{ knownAt: Date; expectedAt: Date }>;
  /** Throws where the rail is away. */
  ask(payment: Payment): Promise<PaymentFate>;
};

/** Why the sandbox returns a payment. */
export const unknownAccount = 'The other bank does not know this account';

const { fewestBusinessDays, mostBusinessDays } = externalTransfer;
/** The morning in New York, in summer and in winter. */
const answersComeAt = 'T14:00:00Z';
const shortestWaitMs = 1_000;

/** When a bank's answer comes that takes so many business days. */
export function answeredAt(madeAt: Date, businessDays: number): Date {
  return new Date(addBusinessDays(calendarDay(madeAt), businessDays) + answersComeAt);
}

/**
 * Opens the sandbox. Three to seven business days after a payment was made, as its id decides, it is returned where the
 * account number ends in `0000` and settled otherwise. A business day takes `daySeconds`: one of real length is a day of
 * the calendar of American banks, a shorter one is always followed by the next.
 */
export function openSandboxRail(clock: Clock, daySeconds: number): PaymentRail {
  const isReal = daySeconds === externalTransfer.daySeconds;
  const knownAt = ({ id }: Payment): Date => {
    // The first 48 bits of a UUIDv7 are the milliseconds at which it was made; the last are random.
    const madeAt = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
    const choices = mostBusinessDays - fewestBusinessDays + 1;
    const days = fewestBusinessDays + (Number.parseInt(id.slice(-8), 16) % choices);
    if (!isReal) return new Date(madeAt + days * daySeconds * 1000);
    return answeredAt(new Date(madeAt), days);
  };
  return {
    async submit(payment) {
      const at = knownAt(payment);
      // Days that are over in seconds are for the impatient; what is promised is a day of the calendar all the same.
      return { knownAt: at, expectedAt: isReal ? at : answeredAt(payment.sentAt, mostBusinessDays) };
    },
    async ask(payment) {
      const at = knownAt(payment);
      const now = clock.now();
      if (now < at) {
        // At once would be too often where this clock is a little behind the one that woke the caller.
        const askAgainAt = new Date(Math.max(at.getTime(), now.getTime() + shortestWaitMs));
        return { status: 'pending', askAgainAt };
      }
      const isUnknown = payment.accountNumber.endsWith('0000');
      return isUnknown ? { status: 'returned', reason: unknownAccount } : { status: 'settled' };
    },
  };
}
