/** The state of the bank as a whole. */
import { sql } from 'kysely';
import type { Reader, Tx } from './database.ts';

/** `bankId` identifies the database; `heldSince` is set from a restore until the bank is released. */
export type BankState = { bankId: string; heldSince: Date | null };

export async function readBankState(reader: Reader): Promise<BankState> {
  const found = await sql<BankState>`
    SELECT bank_id AS "bankId", held_since AS "heldSince" FROM bank_state`.execute(reader);
  return found.rows[0]!;
}

/** Records that a proof of the books found no fault just now. */
export async function recordVerification(tx: Tx): Promise<void> {
  await sql`UPDATE bank_state SET verified_at = clock_timestamp()`.execute(tx);
}
