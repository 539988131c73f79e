/** Addresses as keys: what is remembered about an address somebody typed is kept under a keyed hash of it. */
import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';

/** What an address was used for; each is counted apart. */
export type AddressUse = 'customer-login' | 'admin-login' | 'reset';

/** The key under which `email` is remembered for `use`. Without `codeKey` it cannot be computed from the address. */
export function toAddressKey(codeKey: Uint8Array, use: AddressUse, email: string): Buffer {
  return createHmac('sha256', codeKey).update(`address\0${use}\0${email}`).digest();
}

/** Makes sure that the address is remembered and locks what is remembered until the transaction ends. */
export async function holdAddress(tx: Tx, addressKey: Buffer): Promise<void> {
  await sql`
    INSERT INTO address_attempts (address_key) VALUES (${addressKey})
    ON CONFLICT (address_key) DO UPDATE SET touched_at = now()`.execute(tx);
}

/** Counts a try for somebody unknown: the same writing as for somebody known, so that it takes the same time. */
export async function burnUnknown(tx: Tx, addressKey: Buffer): Promise<void> {
  await holdAddress(tx, addressKey);
  await sql`
    UPDATE address_attempts SET unknown_attempts = unknown_attempts + 1 WHERE address_key = ${addressKey}`.execute(
    tx,
  );
}
