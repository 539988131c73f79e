/**
 * Decides whether to send a code now: cooldown, hourly limit, and whether a login is in progress, all by the database's clock.
 * A refusal is returned as `waitSeconds`, not thrown, so that the transaction commits what it wrote.
 */
import { sql } from 'kysely';
import { code as rule } from '#contract/constants.ts';
import type { Tx } from '../db/database.ts';
import { lockAddress } from './addressKey.ts';
import { type CodePurpose, issueCode } from './codes.ts';
import { lockCredentials } from './lockout.ts';

/** How long after the right password a new code can be requested. */
const loginInProgressSeconds = 900;
/** A reset needs no password: it must not let anyone use up an account's codes for the hour. */
const resetsPerHour = 5;

/** `personId`: undefined for an unknown email. */
export type CodeRequest = { personId: string | undefined; addressKey: Buffer };
/** A code to send, nothing to send, or the seconds to wait before the next request. */
export type Sending = { code: string } | { nothing: true } | { waitSeconds: number };

/** After a right password: a fresh code, or nothing while a live one is younger than the cooldown. */
export async function sendLoginCode(
  tx: Tx,
  codeKey: Uint8Array,
  request: { personId: string; addressKey: Buffer },
): Promise<Sending> {
  await lockAddress(tx, request.addressKey);
  const held = await lockCredentials(tx, request.personId);
  if (!held) return { nothing: true };
  if (await hasRecentCode(tx, request.personId)) return { nothing: true };
  const waitSeconds = await secondsUntilCodeAllowed(tx, request.personId);
  if (waitSeconds > 0) return { waitSeconds };
  await recordRequest(tx, request.addressKey);
  return { code: await issueCode(tx, codeKey, { personId: request.personId, purpose: 'login' }) };
}

/**
 * Resends a login code. The answer depends only on earlier requests for this email, so it does not reveal whether the email
 * is known or a login is in progress.
 */
export async function resendLoginCode(tx: Tx, codeKey: Uint8Array, request: CodeRequest): Promise<Sending> {
  await lockAddress(tx, request.addressKey);
  const waitSeconds = await secondsUntilRequestAllowed(tx, request.addressKey, rule.maxPerHour);
  if (waitSeconds > 0) return { waitSeconds };
  await recordRequest(tx, request.addressKey);
  if (request.personId === undefined) return { nothing: true };
  const held = await lockCredentials(tx, request.personId);
  if (!held || held.isLocked) return { nothing: true };
  const begunAt = await findLoginInProgress(tx, request.personId);
  if (!begunAt) return { nothing: true };
  if ((await secondsUntilCodeAllowed(tx, request.personId)) > 0) return { nothing: true };
  return { code: await issueCode(tx, codeKey, { personId: request.personId, purpose: 'login', begunAt }) };
}

/** A password reset code; nothing for an unknown email or within the cooldown. Never asks to wait. */
export async function sendResetCode(
  tx: Tx,
  codeKey: Uint8Array,
  request: CodeRequest,
): Promise<{ code: string } | { nothing: true }> {
  await lockAddress(tx, request.addressKey);
  if ((await secondsUntilRequestAllowed(tx, request.addressKey, resetsPerHour)) > 0) return { nothing: true };
  await recordRequest(tx, request.addressKey);
  if (request.personId === undefined || !(await lockCredentials(tx, request.personId)))
    return { nothing: true };
  if ((await secondsUntilCodeAllowed(tx, request.personId)) > 0) return { nothing: true };
  const purpose: CodePurpose = 'reset';
  return { code: await issueCode(tx, codeKey, { personId: request.personId, purpose }) };
}

async function hasRecentCode(tx: Tx, personId: string): Promise<boolean> {
  const found = await sql`
    SELECT FROM codes
     WHERE person_id = ${personId} AND purpose = 'login' AND consumed_at IS NULL AND superseded_at IS NULL
       AND expires_at > now() AND attempts < ${rule.maxAttempts}
       AND created_at > now() - make_interval(secs => ${rule.resendCooldownSeconds})`.execute(tx);
  return found.rows.length > 0;
}

async function findLoginInProgress(tx: Tx, personId: string): Promise<Date | undefined> {
  const found = await sql<{ begun_at: Date }>`
    SELECT begun_at FROM codes
     WHERE person_id = ${personId} AND purpose = 'login' AND consumed_at IS NULL AND superseded_at IS NULL
       AND begun_at > now() - make_interval(secs => ${loginInProgressSeconds})`.execute(tx);
  return found.rows[0]?.begun_at;
}

/** Seconds until the account is below its hourly limit of codes; 0 if it is. */
async function secondsUntilCodeAllowed(tx: Tx, personId: string): Promise<number> {
  const found = await sql<{ wait: number }>`
    SELECT ceil(extract(epoch FROM created_at + interval '1 hour' - now()))::float8 AS wait FROM codes
     WHERE person_id = ${personId} AND created_at > now() - interval '1 hour'
     ORDER BY created_at DESC OFFSET ${rule.maxPerHour - 1} LIMIT 1`.execute(tx);
  return found.rows[0]?.wait ?? 0;
}

/** Seconds until this address may request another code (cooldown and hourly limit); 0 if it may now. */
async function secondsUntilRequestAllowed(tx: Tx, addressKey: Buffer, perHour: number): Promise<number> {
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

/** Uses `clock_timestamp()`: `now()` is the start of the transaction, which may have waited for another request's lock. */
async function recordRequest(tx: Tx, addressKey: Buffer): Promise<void> {
  await sql`
    UPDATE address_attempts
       SET codes_requested_at = ARRAY(SELECT t FROM unnest(codes_requested_at) AS t WHERE t > now() - interval '1 hour')
                            || clock_timestamp()
     WHERE address_key = ${addressKey}`.execute(tx);
}
