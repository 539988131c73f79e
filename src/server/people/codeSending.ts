/**
 * Whether a code is sent now: the cooldown, the hourly cap, and what a login still under way is. Everything is decided
 * by the database's clock. Each function gives what to do and says no by `waitSeconds`, so that what it wrote stays.
 */
import { sql } from 'kysely';
import { code as rule } from '#contract/constants.ts';
import type { Tx } from '../db/database.ts';
import { holdAddress } from './addressKey.ts';
import { type CodePurpose, issueCode } from './codes.ts';
import { holdCredentials } from './lockout.ts';

/** How long after the right password a new code may still be asked for. */
const loginUnderWaySeconds = 900;
/** Resets are asked without a password, so a stranger must not be able to use up an account's codes of the hour. */
const resetsPerHour = 5;

/** `personId` is undefined for somebody unknown. */
export type Asker = { personId: string | undefined; addressKey: Buffer };
/** A code to send, nothing to send, or the whole seconds until asking makes sense. */
export type Sending = { code: string } | { nothing: true } | { waitSeconds: number };

/** After a right password: a fresh code, or nothing while a live one is younger than the cooldown. */
export async function sendLoginCode(
  tx: Tx,
  codeKey: Uint8Array,
  asker: { personId: string; addressKey: Buffer },
): Promise<Sending> {
  await holdAddress(tx, asker.addressKey);
  const held = await holdCredentials(tx, asker.personId);
  if (!held) return { nothing: true };
  if (await hasYoungCode(tx, asker.personId)) return { nothing: true };
  const waitSeconds = await secondsUntilCodeAllowed(tx, asker.personId);
  if (waitSeconds > 0) return { waitSeconds };
  await noteAsked(tx, asker.addressKey);
  return { code: await issueCode(tx, codeKey, { personId: asker.personId, purpose: 'login' }) };
}

/**
 * A resend, answered by what was asked for this address and nothing else, so that it tells nobody whether the address
 * is known or a login under way.
 */
export async function resendLoginCode(tx: Tx, codeKey: Uint8Array, asker: Asker): Promise<Sending> {
  await holdAddress(tx, asker.addressKey);
  const waitSeconds = await secondsUntilAskAllowed(tx, asker.addressKey, rule.maxPerHour);
  if (waitSeconds > 0) return { waitSeconds };
  await noteAsked(tx, asker.addressKey);
  if (asker.personId === undefined) return { nothing: true };
  const held = await holdCredentials(tx, asker.personId);
  if (!held || held.isLocked) return { nothing: true };
  const begunAt = await findLoginUnderWay(tx, asker.personId);
  if (!begunAt) return { nothing: true };
  if ((await secondsUntilCodeAllowed(tx, asker.personId)) > 0) return { nothing: true };
  return { code: await issueCode(tx, codeKey, { personId: asker.personId, purpose: 'login', begunAt }) };
}

/** A code to set a new password with; nothing for somebody unknown or who asked just now. Never says to wait. */
export async function sendResetCode(
  tx: Tx,
  codeKey: Uint8Array,
  asker: Asker,
): Promise<{ code: string } | { nothing: true }> {
  await holdAddress(tx, asker.addressKey);
  if ((await secondsUntilAskAllowed(tx, asker.addressKey, resetsPerHour)) > 0) return { nothing: true };
  await noteAsked(tx, asker.addressKey);
  if (asker.personId === undefined || !(await holdCredentials(tx, asker.personId))) return { nothing: true };
  if ((await secondsUntilCodeAllowed(tx, asker.personId)) > 0) return { nothing: true };
  const purpose: CodePurpose = 'reset';
  return { code: await issueCode(tx, codeKey, { personId: asker.personId, purpose }) };
}

async function hasYoungCode(tx: Tx, personId: string): Promise<boolean> {
  const found = await sql`
    SELECT FROM codes
     WHERE person_id = ${personId} AND purpose = 'login' AND consumed_at IS NULL AND superseded_at IS NULL
       AND expires_at > now() AND attempts < ${rule.maxAttempts}
       AND created_at > now() - make_interval(secs => ${rule.resendCooldownSeconds})`.execute(tx);
  return found.rows.length > 0;
}

async function findLoginUnderWay(tx: Tx, personId: string): Promise<Date | undefined> {
  const found = await sql<{ begun_at: Date }>`
    SELECT begun_at FROM codes
     WHERE person_id = ${personId} AND purpose = 'login' AND consumed_at IS NULL AND superseded_at IS NULL
       AND begun_at > now() - make_interval(secs => ${loginUnderWaySeconds})`.execute(tx);
  return found.rows[0]?.begun_at;
}

/** 0, or the seconds until the account's codes of the last hour are few enough. */
async function secondsUntilCodeAllowed(tx: Tx, personId: string): Promise<number> {
  const found = await sql<{ wait: number }>`
    SELECT ceil(extract(epoch FROM created_at + interval '1 hour' - now()))::float8 AS wait FROM codes
     WHERE person_id = ${personId} AND created_at > now() - interval '1 hour'
     ORDER BY created_at DESC OFFSET ${rule.maxPerHour - 1} LIMIT 1`.execute(tx);
  return found.rows[0]?.wait ?? 0;
}

/** 0, or the seconds until the address may ask again: the cooldown, or the hour's cap. */
async function secondsUntilAskAllowed(tx: Tx, addressKey: Buffer, perHour: number): Promise<number> {
  const found = await sql<{ wait: number }>`
    WITH asked AS (
      SELECT t FROM address_attempts, unnest(codes_requested_at) AS t
       WHERE address_key = ${addressKey} AND t > now() - interval '1 hour')
    SELECT ceil(greatest(0,
             extract(epoch FROM (SELECT max(t) FROM asked)
                                + make_interval(secs => ${rule.resendCooldownSeconds}) - clock_timestamp()),
             extract(epoch FROM (SELECT t FROM asked ORDER BY t DESC OFFSET ${perHour - 1} LIMIT 1)
                                + interval '1 hour' - clock_timestamp())))::float8 AS wait`.execute(tx);
  return found.rows[0]!.wait;
}

/** By the wall clock: `now()` is when a transaction began, and it may have waited for another's asking. */
async function noteAsked(tx: Tx, addressKey: Buffer): Promise<void> {
  await sql`
    UPDATE address_attempts
       SET codes_requested_at = ARRAY(SELECT t FROM unnest(codes_requested_at) AS t WHERE t > now() - interval '1 hour')
                            || clock_timestamp()
     WHERE address_key = ${addressKey}`.execute(tx);
}
