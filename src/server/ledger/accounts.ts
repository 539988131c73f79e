/** Opening accounts and changing what they may do. Balances are not touched here: money moves by posting alone. */
import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { luhnCheckDigit } from '#contract/accountNumber.ts';
import { accountNumber } from '#contract/constants.ts';
import type { Tx } from '../db/database.ts';

function randomAccountNumber(): string {
  // The first digit is never 0, so that no spreadsheet eats it.
  let digits = String(randomInt(1, 10));
  while (digits.length < accountNumber.digits - 1) digits += String(randomInt(10));
  return digits + luhnCheckDigit(digits);
}

/** Opens a customer's account: not approved, not frozen, empty. Numbers are random and never given twice. */
export async function openAccount(tx: Tx): Promise<{ accountId: bigint; accountNumber: string }> {
  for (;;) {
    const number = randomAccountNumber();
    const opened = await sql<{ id: bigint }>`
      INSERT INTO ledger_accounts (number) VALUES (${number}) ON CONFLICT (number) DO NOTHING RETURNING id`.execute(
      tx,
    );
    if (opened.rows[0]) return { accountId: opened.rows[0].id, accountNumber: number };
  }
}

/** Lets an account bank. False where it could already, or is closed. */
export async function approveAccount(tx: Tx, accountId: bigint): Promise<boolean> {
  const changed = await sql`
    UPDATE ledger_accounts SET is_approved = true
     WHERE id = ${accountId} AND kind = 'customer' AND NOT is_approved AND NOT is_closed`.execute(tx);
  return changed.numAffectedRows === 1n;
}

/** Freezes or unfreezes an account: money cannot leave a frozen one. False where it was so already, or is closed. */
export async function setFrozen(tx: Tx, accountId: bigint, frozen: boolean): Promise<boolean> {
  const changed = await sql`
    UPDATE ledger_accounts SET is_frozen = ${frozen}
     WHERE id = ${accountId} AND kind = 'customer' AND is_frozen <> ${frozen} AND NOT is_closed`.execute(tx);
  return changed.numAffectedRows === 1n;
}
