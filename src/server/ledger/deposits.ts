/** Books deposits, the payments that other banks deliver through the rail. */
import { sql } from 'kysely';
import { newId } from '../base/uuid.ts';
import type { Tx } from '../db/database.ts';
import { referenceOf } from './ledger.ts';

/**
 * `id` and `reference` are those of the transaction. `wasKnown`: the rail delivered this payment before. `mismatch`: the rail
 * delivered this payment reference before, with another amount or account number; `id`: the transaction of that delivery, if
 * it was booked.
 */
export type DepositOutcome =
  | { status: 'booked'; id: string; reference: string; wasKnown: boolean }
  | { status: 'sent back'; reason: string; wasKnown: boolean }
  | { status: 'mismatch'; id?: string };

/**
 * Books the deposit in a line of a rail file. The line must not be applied yet. Books each payment reference only once. A
 * payment that cannot be booked is recorded as sent back.
 */
export async function bookRailDeposit(tx: Tx, incomingId: bigint): Promise<DepositOutcome> {
  const newTransaction = newId();
  const booked = await sql<{ outcome: number; id: string | null; reason: string | null }>`
    SELECT * FROM book_rail_deposit(${incomingId}, ${newTransaction}, ${referenceOf(newTransaction)})`.execute(
    tx,
  );
  const { outcome, id, reason } = booked.rows[0]!;
  if (outcome === 2) return { status: 'mismatch', ...(id !== null && { id }) };
  const wasKnown = outcome === 1;
  return id === null
    ? { status: 'sent back', reason: reason!, wasKnown }
    : { status: 'booked', id, reference: referenceOf(id), wasKnown };
}
