/** Books deposits, the payments that other banks deliver through the rail. */
import { sql } from 'kysely';
import { newId } from '../base/uuid.ts';
import type { Tx } from '../db/database.ts';
import { referenceOf } from './ledger.ts';

/**
 * `id` and `reference` are those of the transaction. `wasKnown`: the rail had delivered this payment before. `mismatch`: it had
 * delivered another amount or account number with this payment reference.
 */
export type DepositOutcome =
  | { status: 'booked'; id: string; reference: string; wasKnown: boolean }
  | { status: 'sent back'; reason: string; wasKnown: boolean }
  | { status: 'mismatch' };

/**
 * Books the payment in a line of a rail file that is not applied yet, once per payment reference. A payment that cannot be
 * booked is recorded as sent back.
 */
export async function bookRailDeposit(tx: Tx, incomingId: bigint): Promise<DepositOutcome> {
  const newTransaction = newId();
  const booked = await sql<{ outcome: number; id: string | null; reason: string | null }>`
    SELECT * FROM book_rail_deposit(${incomingId}, ${newTransaction}, ${referenceOf(newTransaction)})`.execute(
    tx,
  );
  const { outcome, id, reason } = booked.rows[0]!;
  if (outcome === 2) return { status: 'mismatch' };
  const wasKnown = outcome === 1;
  return id === null
    ? { status: 'sent back', reason: reason!, wasKnown }
    : { status: 'booked', id, reference: referenceOf(id), wasKnown };
}
