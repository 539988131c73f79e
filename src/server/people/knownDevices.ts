/**
 * The browsers in which a person completed a login. Guesses from elsewhere do not lock out a known device. The design follows
 * OWASP, "Slow Down Online Guessing Attacks with Device Cookies".
 */
import { sql } from 'kysely';
import type { Reader, Tx } from '../db/database.ts';

/** A browser's key in the database: the hash of its cookie. Undefined for a client without cookies. */
export type Browser = Buffer | undefined;

/** The key of the counts that all clients except known devices share. */
export const unknownDevices = Buffer.alloc(0);

/** A device becomes unknown again if it completes no login for this long. */
const knownForDays = 180;
/** How many known devices a person can have. A further device replaces the one whose last login is oldest. */
const maxDevices = 20;

/** Whether a browser is a known device of this person. */
export async function isKnownDevice(
  reader: Reader,
  personId: string | undefined,
  browser: Browser,
): Promise<boolean> {
  if (personId === undefined || browser === undefined) return false;
  const found = await sql`
    SELECT FROM login_devices
     WHERE person_id = ${personId} AND browser = ${browser} AND expires_at > now()`.execute(reader);
  return found.rows.length === 1;
}

/**
 * After a completed login: clears the counts of the device, or the counts of unknown devices if it was unknown, and makes the
 * browser a known device.
 */
export async function clearCounts(tx: Tx, personId: string, browser: Browser): Promise<void> {
  const countedFor = (await isKnownDevice(tx, personId, browser)) ? browser : unknownDevices;
  await sql`DELETE FROM login_devices WHERE person_id = ${personId} AND browser = ${countedFor}`.execute(tx);
  if (browser) await addDevice(tx, personId, browser);
}

/**
 * After a password reset: clears all counts and locks, and removes all known devices. The browser that completed the reset
 * is known afterward, because its user has read the person's mail.
 */
export async function clearDevices(tx: Tx, personId: string, browser: Browser): Promise<void> {
  await sql`DELETE FROM login_devices WHERE person_id = ${personId}`.execute(tx);
  if (browser) await addDevice(tx, personId, browser);
}

/** After a password change: removes every known device except the one in which the password was changed. */
export async function removeOtherDevices(tx: Tx, personId: string, browser: Browser): Promise<void> {
  await sql`
    DELETE FROM login_devices
     WHERE person_id = ${personId} AND browser NOT IN (${unknownDevices}, ${browser ?? unknownDevices})`.execute(
    tx,
  );
}

async function addDevice(tx: Tx, personId: string, browser: Buffer): Promise<void> {
  await sql`
    INSERT INTO login_devices (person_id, browser, expires_at)
    VALUES (${personId}, ${browser}, now() + make_interval(days => ${knownForDays}))
        ON CONFLICT (person_id, browser) DO UPDATE
       SET wrong_passwords = 0, wrong_codes = 0, wrong_reset_codes = 0, locked_until = NULL,
           reset_locked_until = NULL, lock_notified = true, expires_at = excluded.expires_at`.execute(tx);
  await sql`
    DELETE FROM login_devices
     WHERE person_id = ${personId} AND browser IN (
       SELECT browser FROM login_devices
        WHERE person_id = ${personId} AND expires_at < 'infinity'
        ORDER BY expires_at DESC OFFSET ${maxDevices})`.execute(tx);
}
