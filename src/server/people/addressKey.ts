/**
 * The keys under which attempts and code requests are counted per email. They are keyed hashes (HMAC), so that no table of
 * counts holds an email address.
 */
import { sql } from 'kysely';
import { hmac, type Key } from '../base/keys.ts';
import type { Tx } from '../db/database.ts';

/** What the email was entered for. Each use is counted separately. */
export type AddressUse = 'customer-login' | 'admin-login' | 'reset';

/**
 * The database key for `email` and `use`. It cannot be computed from the email without `codeKey`. After a rotation of the
 * secret, counts begin at zero.
 */
export function toAddressKey(codeKey: Key, use: AddressUse, email: string): Buffer {
  return hmac(codeKey, `address\0${use}\0${email}`);
}

/** Creates the row for this key if needed, and locks it until the transaction ends. */
export async function lockAddress(tx: Tx, addressKey: Buffer): Promise<void> {
  await sql`
    INSERT INTO address_attempts (address_key) VALUES (${addressKey})
    ON CONFLICT (address_key) DO UPDATE SET touched_at = now()`.execute(tx);
}

/** Counts an attempt for an unknown email. Writes as much as an attempt for a known email does, so both take the same time. */
export async function countUnknownAttempt(tx: Tx, addressKey: Buffer): Promise<void> {
  await lockAddress(tx, addressKey);
  await sql`
    UPDATE address_attempts SET unknown_attempts = unknown_attempts + 1 WHERE address_key = ${addressKey}`.execute(
    tx,
  );
}
