/**
 * Decides whether to send a code now: cooldown, hourly limit, and whether a login is in progress, all by the database's clock.
 * A request that comes too early gets a result instead of an error, so that the transaction commits what it wrote.
 */
import { sql } from 'kysely';
import { login, code as rule } from '#contract/constants.ts';
import { Refusal } from '#contract/errors.ts';
import type { Key } from '../base/keys.ts';
import type { Tx } from '../db/database.ts';
import { isRecent, isRunning } from '../db/storedTimes.ts';
import { lockAddress } from './addressKey.ts';
import { issueCode, readCodeWaits } from './codes.ts';
import type { Browser } from './knownDevices.ts';
import { lockCredentials } from './lockout.ts';

/** Resets have their own limit. They need no password, and must not use up an account's login codes for the hour. */
const resetsPerHour = 5;

/** `personId`: undefined for an unknown email. */
export type CodeRequest = { personId: string | undefined; addressKey: Buffer; browser: Browser };
/** A code to send, nothing to send, or the seconds to wait before the next request. */
export type Sending = { code: string } | { nothing: true } | { waitSeconds: number };

/**
 * Returns a new code after a correct password; nothing while a live code is younger than the cooldown; the seconds to wait at
 * the hourly limit. `passwordHash`: the hash that the password was compared with. Refuses `BAD_CREDENTIALS` if the password
 * has changed since then.
 */
export async function sendLoginCode(
  tx: Tx,
  codeKey: Key,
  { personId, addressKey, browser, passwordHash }: CodeRequest & { personId: string; passwordHash: Buffer },
): Promise<Sending> {
  await lockAddress(tx, addressKey);
  const held = await lockCredentials(tx, personId, browser);
  if (!held) return { nothing: true };
  if (!held.passwordHash.equals(passwordHash)) throw new Refusal('BAD_CREDENTIALS');
  if (await hasRecentCode(tx, personId, browser)) return { nothing: true };
  const waitSeconds = await secondsUntilCodeAllowed(tx, personId);
  if (waitSeconds > 0) return { waitSeconds };
  await recordRequest(tx, addressKey);
  return { code: await issueCode(tx, codeKey, { personId, purpose: 'login', browser }) };
}

/**
 * Resends a login code. The answer depends only on earlier requests for this email, so it does not reveal whether the email
 * is known or a login is in progress.
 */
export async function resendLoginCode(
  tx: Tx,
  codeKey: Key,
  { personId, addressKey, browser }: CodeRequest,
): Promise<Sending> {
  await lockAddress(tx, addressKey);
  const waitSeconds = await secondsUntilRequestAllowed(tx, addressKey, rule.maxPerHour);
  if (waitSeconds > 0) return { waitSeconds };
  await recordRequest(tx, addressKey);
  if (personId === undefined) return { nothing: true };
  const held = await lockCredentials(tx, personId, browser);
  if (!held || held.isLocked) return { nothing: true };
  const begunAt = await findLoginInProgress(tx, personId, browser);
  if (!begunAt) return { nothing: true };
  if ((await secondsUntilCodeAllowed(tx, personId)) > 0) return { nothing: true };
  return { code: await issueCode(tx, codeKey, { personId, purpose: 'login', browser, begunAt }) };
}

/** Returns a password reset code; nothing for an unknown email, within the cooldown or at the hourly limit. */
export async function sendResetCode(
  tx: Tx,
  codeKey: Key,
  { personId, addressKey, browser }: CodeRequest,
): Promise<{ code: string } | { nothing: true }> {
  await lockAddress(tx, addressKey);
  if ((await secondsUntilRequestAllowed(tx, addressKey, resetsPerHour)) > 0) return { nothing: true };
  await recordRequest(tx, addressKey);
  if (personId === undefined || !(await lockCredentials(tx, personId, browser))) return { nothing: true };
  return { code: await issueCode(tx, codeKey, { personId, purpose: 'reset', browser }) };
}

async function hasRecentCode(tx: Tx, personId: string, browser: Browser): Promise<boolean> {
  const found = await sql`
    SELECT FROM codes
     WHERE person_id = ${personId} AND purpose = 'login' AND browser IS NOT DISTINCT FROM ${browser ?? null}
       AND consumed_at IS NULL AND superseded_at IS NULL
       AND ${isRunning(sql`expires_at`, rule.lifeSeconds)} AND attempts < ${rule.maxAttempts}
       AND ${isRecent(sql`created_at`, rule.resendCooldownSeconds)}`.execute(tx);
  return found.rows.length > 0;
}

async function findLoginInProgress(tx: Tx, personId: string, browser: Browser): Promise<Date | undefined> {
  const found = await sql<{ begun_at: Date }>`
    SELECT begun_at FROM codes
     WHERE person_id = ${personId} AND purpose = 'login' AND browser IS NOT DISTINCT FROM ${browser ?? null}
       AND consumed_at IS NULL AND superseded_at IS NULL
       AND ${isRecent(sql`begun_at`, login.resendForSeconds)}`.execute(tx);
  return found.rows[0]?.begun_at;
}

/**
 * Seconds until the account is below its hourly limit of login codes; 0 if it is below the limit now. Codes from before a reset
 * do not count: someone who knew the former password may have requested them. Resets are limited, too.
 */
async function secondsUntilCodeAllowed(tx: Tx, personId: string): Promise<number> {
  const found = await sql<{ wait: number }>`
    SELECT ceil(extract(epoch FROM created_at + interval '1 hour' - now()))::float8 AS wait FROM codes
     WHERE person_id = ${personId} AND purpose = 'login' AND ${isRecent(sql`created_at`, 3_600)}
       AND created_at > ALL (SELECT consumed_at FROM codes WHERE person_id = ${personId} AND purpose = 'reset'
                                AND ${isRecent(sql`consumed_at`, 3_600)})
     ORDER BY created_at DESC OFFSET ${rule.maxPerHour - 1} LIMIT 1`.execute(tx);
  return found.rows[0]?.wait ?? 0;
}

/** Seconds until another code may be requested for this email (cooldown and hourly limit); 0 if it may be requested now. */
async function secondsUntilRequestAllowed(tx: Tx, addressKey: Buffer, perHour: number): Promise<number> {
  const asked = sql`SELECT t FROM address_attempts, unnest(codes_requested_at) AS t WHERE address_key = ${addressKey}`;
  const { cooldown, hour } = await readCodeWaits(tx, asked, perHour);
  return Math.max(0, cooldown, hour);
}

/** Stores the time of a request: `clock_timestamp()`, because a transaction that waited for a lock has an old `now()`. */
async function recordRequest(tx: Tx, addressKey: Buffer): Promise<void> {
  await sql`
    UPDATE address_attempts
       SET codes_requested_at = ARRAY(SELECT t FROM unnest(codes_requested_at) AS t WHERE ${isRecent(sql`t`, 3_600)})
                            || clock_timestamp()
     WHERE address_key = ${addressKey}`.execute(tx);
}
