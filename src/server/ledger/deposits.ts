/** Books deposits, the payments that other banks deliver through the rail. */
import { sql } from 'kysely';
import type pg from 'pg';
import { newId } from '../base/uuid.ts';
import type { Tx } from '../db/database.ts';
import { referenceOf } from './ledger.ts';

/** A payment that another bank sent. `ref`: the rail's id of it. */
export type Deposit = {
  ref: string;
  accountNumber: string;
  amountCents: bigint;
  senderName: string;
  bankName: string;
};

/** `id`, `reference`: the transaction's. `wasKnown`: the rail had delivered this payment before. */
export type DepositOutcome =
  | { status: 'booked'; id: string; reference: string; wasKnown: boolean }
  | { status: 'sent back'; reason: string; wasKnown: boolean }
  | { status: 'mismatch' };

/**
 * Books a payment once per `ref`. One to an account that cannot receive it is sent back, and recorded. Needs a connection of
 * the database's owner.
 */
export async function bookDeposit(owner: pg.Pool, payment: Deposit): Promise<DepositOutcome> {
  const id = newId();
  const { ref, accountNumber, amountCents, senderName, bankName } = payment;
  const booked = await owner.query<BookedRow>('SELECT * FROM book_deposit($1, $2, $3, $4, $5, $6, $7)', [
    id,
    referenceOf(id),
    ref,
    accountNumber,
    amountCents,
    senderName,
    bankName,
  ]);
  return toOutcome(booked.rows[0]!);
}

/** `bookDeposit` for a line of an incoming file that is not applied. */
export async function bookRailDeposit(tx: Tx, incomingId: bigint): Promise<DepositOutcome> {
  const id = newId();
  const booked = await sql<BookedRow>`
    SELECT * FROM book_rail_deposit(${incomingId}, ${id}, ${referenceOf(id)})`.execute(tx);
  return toOutcome(booked.rows[0]!);
}

type BookedRow = { outcome: number; id: string | null; reason: string | null };

function toOutcome({ outcome, id, reason }: BookedRow): DepositOutcome {
  if (outcome === 2) return { status: 'mismatch' };
  const wasKnown = outcome === 1;
  return id === null
    ? { status: 'sent back', reason: reason!, wasKnown }
    : { status: 'booked', id, reference: referenceOf(id), wasKnown };
}
