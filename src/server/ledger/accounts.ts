/** Opens, approves and freezes ledger accounts, and sets their limits. Nothing here changes a balance. */
import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { luhnCheckDigit } from '#contract/accountNumber.ts';
import { accountNumber } from '#contract/constants.ts';
import type { Reader, Tx } from '../db/database.ts';

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

/** Whether an account is approved. Locks the account, so the answer cannot change until the transaction ends. */
export async function isApproved(tx: Tx, accountId: bigint): Promise<boolean> {
  const found = await sql<{ is_approved: boolean }>`
    SELECT is_approved FROM ledger_accounts WHERE id = ${accountId} FOR NO KEY UPDATE`.execute(tx);
  return found.rows[0]!.is_approved;
}

/**
 * Sets or lifts the bank's freeze of an account. Customers cannot move money out of a frozen account; staff can, by a reversal
 * or by closing the account. Lifting the bank's freeze also lifts the customer's own. Returns false if nothing changed or the
 * account is closed.
 */
export async function setFrozen(tx: Tx, accountId: bigint, frozen: boolean): Promise<boolean> {
  const changed = await sql`
    UPDATE ledger_accounts SET frozen_by_bank = ${frozen}, frozen_by_owner = frozen_by_owner AND ${frozen}
     WHERE id = ${accountId} AND kind = 'customer' AND NOT is_closed
       AND CASE WHEN ${frozen} THEN NOT frozen_by_bank ELSE is_frozen END`.execute(tx);
  return changed.numAffectedRows === 1n;
}

/** Who has frozen an account. */
export type Freezes = { byYou: boolean; byBank: boolean };

/** Sets or lifts the customer's own freeze; the bank's stays. Returns false if nothing changed or the account is closed. */
export async function setOwnFreeze(tx: Tx, accountId: bigint, frozen: boolean): Promise<boolean> {
  const changed = await sql`
    UPDATE ledger_accounts SET frozen_by_owner = ${frozen}
     WHERE id = ${accountId} AND kind = 'customer' AND NOT is_closed AND frozen_by_owner <> ${frozen}`.execute(
    tx,
  );
  return changed.numAffectedRows === 1n;
}

export async function readFreezes(tx: Reader, accountId: bigint): Promise<Freezes> {
  const found = await sql<Freezes>`
    SELECT frozen_by_owner AS "byYou", frozen_by_bank AS "byBank" FROM ledger_accounts WHERE id = ${accountId}`.execute(
    tx,
  );
  return found.rows[0]!;
}

/** A customer's own limits in cents, null for none: the amount from which a transfer needs a step-up, and the daily limit. */
export type OwnLimits = { stepUpFrom: bigint | null; dailyOut: bigint | null };

export async function readOwnLimits(reader: Reader, accountId: bigint): Promise<OwnLimits> {
  const found = await sql<OwnLimits>`
    SELECT step_up_from AS "stepUpFrom", daily_out AS "dailyOut" FROM ledger_accounts WHERE id = ${accountId}`.execute(
    reader,
  );
  return found.rows[0]!;
}

/** The daily limit, what counts toward it today, and what is left of it. Postings compute the same. */
export async function readDailyLimit(reader: Reader, accountId: bigint, now: Date) {
  const found = await sql<{ dailyOut: bigint | null; sentToday: bigint }>`
    SELECT daily_out AS "dailyOut", money_out_on_day(id, ${now}) AS "sentToday"
      FROM ledger_accounts WHERE id = ${accountId}`.execute(reader);
  const { dailyOut, sentToday } = found.rows[0]!;
  const left = dailyOut === null ? null : dailyOut - sentToday;
  // A limit can be lowered below what was sent today.
  return { dailyOut, sentToday, leftToday: left !== null && left < 0n ? 0n : left };
}

/**
 * Sets a customer's own limits and returns the former ones. Postings of the account wait until the transaction ends. What was
 * sent today is added up here, so that no posting has to (0030_daily_limit.sql).
 */
export async function replaceOwnLimits(tx: Tx, accountId: bigint, limits: OwnLimits): Promise<OwnLimits> {
  await sql`SELECT FROM ledger_accounts WHERE id = ${accountId} FOR NO KEY UPDATE`.execute(tx);
  const former = await readOwnLimits(tx, accountId);
  await sql`
    UPDATE ledger_accounts SET step_up_from = ${limits.stepUpFrom}, daily_out = ${limits.dailyOut},
           out_day = bank_day(now()), out_base = sent - money_out_on_day(id, now())
     WHERE id = ${accountId}`.execute(tx);
  return former;
}
