/** Books deposits, the payments that other banks deliver through the rail. Needs a connection of the database's owner. */
import type pg from 'pg';
import { newId } from '../base/uuid.ts';
import { referenceOf } from './ledger.ts';

/** A payment that another bank sent. `ref`: the rail's id of it. */
export type Deposit = {
  ref: string;
  accountNumber: string;
  amountCents: bigint;
  senderName: string;
  bankName: string;
};

/** `reference`: the transaction's. `wasKnown`: the rail had delivered this payment before. */
export type DepositOutcome =
  | { status: 'booked'; reference: string; wasKnown: boolean }
  | { status: 'sent back'; reason: string; wasKnown: boolean }
  | { status: 'mismatch' };

/** Books a payment once per `ref`. One to an account that cannot receive it is sent back, and recorded. */
export async function bookDeposit(owner: pg.Pool, payment: Deposit): Promise<DepositOutcome> {
  const id = newId();
  const { ref, accountNumber, amountCents, senderName, bankName } = payment;
  const booked = await owner.query<{ outcome: number; id: string | null; reason: string | null }>(
    'SELECT * FROM book_deposit($1, $2, $3, $4, $5, $6, $7)',
    [id, referenceOf(id), ref, accountNumber, amountCents, senderName, bankName],
  );
  const { outcome, id: transactionId, reason } = booked.rows[0]!;
  if (outcome === 2) return { status: 'mismatch' };
  const wasKnown = outcome === 1;
  return transactionId === null
    ? { status: 'sent back', reason: reason!, wasKnown }
    : { status: 'booked', reference: referenceOf(transactionId), wasKnown };
}
