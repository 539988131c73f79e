/** Opens, approves and freezes ledger accounts, and sets their limits. Nothing here changes a balance. */
import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { luhnCheckDigit } from '#contract/accountNumber.ts';
import { accountNumber, bank } from '#contract/constants.ts';
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

/** The daily limit, what counts toward it today, and what is left of it; all null if there is no limit. */
export async function readDailyLimit(reader: Reader, accountId: bigint, now: Date) {
  // Without a limit, no sum is kept (0030_daily_limit.sql), and adding up the day could take seconds.
  const found = await sql<{ dailyOut: bigint | null; sentToday: bigint | null }>`
    SELECT daily_out AS "dailyOut", CASE WHEN daily_out IS NOT NULL THEN money_out_on_day(id, ${now}) END AS "sentToday"
      FROM ledger_accounts WHERE id = ${accountId}`.execute(reader);
  const { dailyOut, sentToday } = found.rows[0]!;
  const left = dailyOut === null || sentToday === null ? null : dailyOut - sentToday;
  // A limit can be lowered below what was sent today.
  return { dailyOut, sentToday, leftToday: left !== null && left < 0n ? 0n : left };
}

/** Locks an account, so that its postings wait until the transaction ends, and returns the customer's own limits. */
export async function lockOwnLimits(tx: Tx, accountId: bigint): Promise<OwnLimits> {
  await sql`SELECT FROM ledger_accounts WHERE id = ${accountId} FOR NO KEY UPDATE`.execute(tx);
  return await readOwnLimits(tx, accountId);
}

/**
 * Sets a customer's own limits. The caller has locked the account (`lockOwnLimits`). If there is a daily limit, this function
 * adds up what was sent today, so that no posting has to do it (0030_daily_limit.sql).
 */
export async function replaceOwnLimits(
  tx: Tx,
  accountId: bigint,
  { stepUpFrom, dailyOut }: OwnLimits,
  batchSize = 100_000n,
): Promise<void> {
  const out = dailyOut === null ? null : await addUpToday(tx, accountId, batchSize);
  await sql`
    UPDATE ledger_accounts SET step_up_from = ${stepUpFrom}, daily_out = ${dailyOut},
           out_day = CASE WHEN ${out}::bigint IS NOT NULL THEN bank_day(now()) END, out_base = sent - ${out}::bigint
     WHERE id = ${accountId}`.execute(tx);
}

/**
 * Returns what left a locked account today. If no sum is kept, adds it up in batches: a single statement for a day of millions
 * of transfers would exceed its time limit, and the customer could not set a daily limit on that day.
 */
async function addUpToday(tx: Tx, accountId: bigint, batchSize: bigint): Promise<bigint> {
  const found = await sql<{ kept: bigint | null; first: bigint; last: bigint }>`
    SELECT CASE WHEN out_day = bank_day(now()) THEN sent - out_base END AS kept,
           first_seq_since(id, bank_day(now())::timestamp AT TIME ZONE ${bank.timeZone}) AS first, entry_count AS last
      FROM ledger_accounts WHERE id = ${accountId}`.execute(tx);
  const { kept, first, last } = found.rows[0]!;
  if (kept !== null) return kept;
  let out = 0n;
  for (let from = first; from <= last; from += batchSize) {
    const batch = await sql<{ cents: bigint }>`
      SELECT money_out_between(${accountId}, bank_day(now()), ${from}, ${from + batchSize - 1n}) AS cents`.execute(
      tx,
    );
    out += batch.rows[0]!.cents;
  }
  return out;
}
