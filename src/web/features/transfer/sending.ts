/** What one press of 'Send Money' sends. Browser storage keeps it until the result is known. */
import * as z from 'zod/mini';
import { formatAccountNumber } from '#contract/accountNumber.ts';
import { ExternalTransfer, formatExternalNumber, InternalTransfer } from '#contract/transfer.ts';

/** The transfer: to another customer, or to an account at another bank. */
export type Sending =
  | { kind: 'internal'; body: z.input<typeof InternalTransfer> }
  | { kind: 'external'; body: z.input<typeof ExternalTransfer> };

const Stored = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('internal'), body: InternalTransfer }),
  z.object({ kind: z.literal('external'), body: ExternalTransfer }),
]);

/** The transfer in a stored value; undefined if it is damaged. */
export function readSending(stored: unknown): Sending | undefined {
  // Return the stored value, not the parsed one: a request with the same key must be the same request.
  return z.safeParse(Stored, stored).success ? (stored as Sending) : undefined;
}

/** The receiver's account number. */
export function numberOf({ kind, body }: Sending): string {
  return kind === 'internal' ? body.receiverAccountNumber : body.accountNumber;
}

/** The receiver's account number in groups, as the screens show it. */
export function formatNumber(sending: Sending): string {
  const number = numberOf(sending);
  return sending.kind === 'internal' ? formatAccountNumber(number) : formatExternalNumber(number);
}
