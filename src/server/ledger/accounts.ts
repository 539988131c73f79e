/** Opens, approves and freezes ledger accounts. Balances are not changed here; only posting moves money. */
import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { luhnCheckDigit } from '#contract/accountNumber.ts';
import { accountNumber } from '#contract/constants.ts';
import type { Tx } from '../db/database.ts';

function randomAccountNumber(): string {
  // The first digit is never 0: spreadsheets drop leading zeros.
  let digits = String(randomInt(1, 10));
  while (digits.length < accountNumber.digits - 1) digits += String(randomInt(10));
  return digits + luhnCheckDigit(digits);
}

/** Opens a customer account: not approved, not frozen, empty. Account numbers are random and never reused. */
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

/** Approves a customer account. Returns false if it was approved already or is closed. */
export async function approveAccount(tx: Tx, accountId: bigint): Promise<boolean> {
  const changed = await sql`
    UPDATE ledger_accounts SET is_approved = true
     WHERE id = ${accountId} AND kind = 'customer' AND NOT is_approved AND NOT is_closed`.execute(tx);
  return changed.numAffectedRows === 1n;
}

/** Freezes or unfreezes an account. No money can leave a frozen account. Returns false if nothing changed or it is closed. */
export async function setFrozen(tx: Tx, accountId: bigint, frozen: boolean): Promise<boolean> {
  const changed = await sql`
    UPDATE ledger_accounts SET is_frozen = ${frozen}
     WHERE id = ${accountId} AND kind = 'customer' AND is_frozen <> ${frozen} AND NOT is_closed`.execute(tx);
  return changed.numAffectedRows === 1n;
}
