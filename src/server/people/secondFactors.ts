/**
 * A person's second factors beyond the mailed code: the authenticator app and its recovery codes. Passkeys are in
 * `passkeys.ts`. In one transaction, callers lock the login (`lockCredentials`), check a code and do what it allows.
 */
import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { recoveryCodes as rule, totp } from '#contract/constants.ts';
import { Refusal } from '#contract/errors.ts';
import type { DecodedApp } from '#contract/factors.ts';
import * as factorsMessages from '#contract/messages/factors.ts';
import { DecryptionFailed, decryptBytes, encrypt } from '../base/encryption.ts';
import { deriveKey, hmac, type Key } from '../base/keys.ts';
import type { Reader, Tx } from '../db/database.ts';
import type { Parts } from '../parts.ts';
import { voidCodes } from './codes.ts';
import { confirmsFrom, trustedFrom, waitingFactors } from './factorTrust.ts';
import { findStep, generateSecret, makeUri, toBase32 } from './totp.ts';

/** People's keys, which encrypt the secrets of their factors. */
export type FactorKeys = Pick<Parts['keys'], 'find' | 'obtain'>;

/** What a person has set up. */
export type FactorMethod = 'totp' | 'recovery' | 'passkey';

/** The second factors that this person can use now. If `totp` is among them, no login codes are mailed (`hasApp`). */
export async function listMethods(reader: Reader, personId: string): Promise<FactorMethod[]> {
  const found = await sql<{ method: FactorMethod }>`
    SELECT 'totp' AS method FROM authenticator_apps WHERE person_id = ${personId} AND confirmed_at IS NOT NULL
    UNION ALL
    SELECT 'recovery' WHERE EXISTS (
      SELECT FROM recovery_codes WHERE person_id = ${personId} AND used_at IS NULL)
    UNION ALL
    SELECT 'passkey' WHERE EXISTS (SELECT FROM passkeys WHERE person_id = ${personId})`.execute(reader);
  return found.rows.map(row => row.method);
}

/** The factors that confirm this customer's step-ups now. */
export async function listTrustedFactors(reader: Reader, personId: string): Promise<('totp' | 'passkey')[]> {
  const found = await sql<{ method: 'totp' | 'passkey' }>`
    SELECT 'passkey' AS method WHERE EXISTS (
      SELECT FROM passkeys WHERE person_id = ${personId} AND trusted_at <= now())
    UNION ALL
    SELECT 'totp' FROM authenticator_apps WHERE person_id = ${personId} AND trusted_at <= now()`.execute(
    reader,
  );
  return found.rows.map(row => row.method);
}

/**
 * Whether this customer has a factor that does not confirm step-ups yet, and from when on the first one does. The time is
 * missing while the account is frozen, because the wait starts when it is unfrozen. A factor that staff will remove before that
 * does not count.
 */
export async function readWaitingFactor(
  reader: Reader,
  personId: string,
): Promise<{ hasWaitingFactor: boolean; factorFrom?: Date }> {
  const found = await sql<{ hasWaitingFactor: boolean; factorFrom: Date | null }>`
    SELECT count(*) > 0 AS "hasWaitingFactor", nullif(min(trusted_at), 'infinity') AS "factorFrom"
      FROM ${waitingFactors(personId)}
     WHERE NOT EXISTS (SELECT FROM factor_resets WHERE person_id = ${personId} AND effective_at < trusted_at)`.execute(
    reader,
  );
  const { hasWaitingFactor, factorFrom } = found.rows[0]!;
  return { hasWaitingFactor, ...(factorFrom && { factorFrom }) };
}

/** Whether an authenticator app is set up. If so, logins use its codes and no code is mailed. */
export async function hasApp(reader: Reader, personId: string): Promise<boolean> {
  const found = await sql`
    SELECT FROM authenticator_apps WHERE person_id = ${personId} AND confirmed_at IS NOT NULL`.execute(
    reader,
  );
  return found.rows.length === 1;
}

/** The state of the authenticator app, for its owner. */
export async function readApp(reader: Reader, personId: string): Promise<Omit<DecodedApp, 'mustEnroll'>> {
  type Row = { enabledAt: Date | null; confirmsFrom: Date | null; left: number; removalAt: Date | null };
  const found = await sql<Row>`
    SELECT (SELECT confirmed_at FROM authenticator_apps WHERE person_id = ${personId}) AS "enabledAt",
           (SELECT ${confirmsFrom(personId)} FROM authenticator_apps WHERE person_id = ${personId}) AS "confirmsFrom",
           (SELECT effective_at FROM factor_resets WHERE person_id = ${personId}) AS "removalAt",
           (SELECT count(*)::int FROM recovery_codes WHERE person_id = ${personId} AND used_at IS NULL) AS left`.execute(
    reader,
  );
  const { enabledAt, confirmsFrom: from, left, removalAt } = found.rows[0]!;
  return {
    isEnabled: enabledAt !== null,
    ...(enabledAt && { enabledAt }),
    ...(from && { confirmsFrom: from }),
    recoveryCodesLeft: left,
    ...(removalAt && { removalAt }),
  };
}

const secretKey = (own: Key) => deriveKey(own, 'authenticator secrets at rest');

/** Generates the secret of a new app, which replaces an unconfirmed one. Refuses `CONFLICT` if an app is confirmed. */
export async function startApp(
  tx: Tx,
  keys: FactorKeys,
  { personId, email }: { personId: string; email: string },
): Promise<{ secret: string; uri: string }> {
  const secret = generateSecret();
  const encrypted = encrypt(secretKey(await keys.obtain(personId)), personId, secret);
  const stored = await sql`
    INSERT INTO authenticator_apps AS app (person_id, secret) VALUES (${personId}, ${encrypted})
        ON CONFLICT (person_id) DO UPDATE SET secret = excluded.secret, started_at = now()
     WHERE app.confirmed_at IS NULL`.execute(tx);
  if (stored.numAffectedRows === 0n) throw new Refusal('CONFLICT', { message: factorsMessages.appExists });
  return { secret: toBase32(secret), uri: makeUri(secret, email) };
}

/**
 * Confirms the app with one of its codes and returns its recovery codes. Voids the person's live codes, so that a mailed code
 * cannot replace the app. A wrong code changes nothing and returns undefined. Refuses `CONFLICT` if an app is already confirmed
 * or none is being set up.
 */
export async function confirmApp(
  tx: Tx,
  keys: FactorKeys,
  { personId, sessionId, code }: { personId: string; sessionId: string; code: string },
): Promise<string[] | undefined> {
  const app = await lockApp(tx, keys, personId);
  if (app?.isConfirmed) throw new Refusal('CONFLICT', { message: factorsMessages.appExists });
  if (!app?.isPending) throw new Refusal('CONFLICT', { message: factorsMessages.appNotStarted });
  const step = app.secret && findStep(app.secret, code, app.now);
  if (step === undefined) return undefined;
  await sql`
    UPDATE authenticator_apps
       SET confirmed_at = now(), last_step = ${step}, trusted_at = ${trustedFrom(personId, sessionId)}
     WHERE person_id = ${personId}`.execute(tx);
  await voidCodes(tx, personId);
  return await replaceRecoveryCodes(tx, keys, personId);
}

/** Whether the code of this time step, which is used up, is accepted once more. */
export type MayRepeat = (tx: Tx, step: number) => Promise<boolean>;

/** The time steps whose codes a code used up: those after `after`, up to `last`. */
export type UsedSteps = { after: bigint; last: bigint };

/**
 * Checks a code from the app; undefined if it is wrong. A correct code is used up, together with the codes of all earlier time
 * steps.
 */
export async function checkTotp(
  tx: Tx,
  keys: FactorKeys,
  personId: string,
  code: string,
  mayRepeat?: MayRepeat,
): Promise<UsedSteps | undefined> {
  const app = await lockApp(tx, keys, personId);
  if (!app?.isConfirmed) return undefined;
  const step = app.secret && findStep(app.secret, code, app.now);
  if (step === undefined) return undefined;
  const after = app.lastStep;
  if (BigInt(step) <= after) return (await mayRepeat?.(tx, step)) ? { after, last: after } : undefined;
  await sql`UPDATE authenticator_apps SET last_step = ${step} WHERE person_id = ${personId}`.execute(tx);
  return { after, last: BigInt(step) };
}

/** Checks a recovery code. A correct code is used up. */
async function checkRecoveryCode(tx: Tx, keys: FactorKeys, personId: string, code: string): Promise<boolean> {
  const own = await keys.find(personId);
  if (!own) return false;
  const used = await sql`
    UPDATE recovery_codes SET used_at = now()
     WHERE person_id = ${personId} AND code_hash = ${hashCode(own, code)} AND used_at IS NULL`.execute(tx);
  return used.numAffectedRows === 1n;
}

/** Checks a code from the app or a recovery code. Returns the kind of the code; undefined if it is wrong. */
export async function checkAppOrRecovery(
  tx: Tx,
  keys: FactorKeys,
  personId: string,
  code: string,
  mayRepeat?: MayRepeat,
): Promise<'totp' | 'recovery' | undefined> {
  if (await checkTotp(tx, keys, personId, code, mayRepeat)) return 'totp';
  return (await checkRecoveryCode(tx, keys, personId, code)) ? 'recovery' : undefined;
}

/** Removes the app, confirmed or not, and its recovery codes. Returns false if no app was confirmed. */
export async function removeApp(tx: Tx, personId: string): Promise<boolean> {
  await sql`DELETE FROM recovery_codes WHERE person_id = ${personId}`.execute(tx);
  const removed = await sql<{ was_confirmed: boolean }>`
    DELETE FROM authenticator_apps WHERE person_id = ${personId}
    RETURNING confirmed_at IS NOT NULL AS was_confirmed`.execute(tx);
  return removed.rows[0]?.was_confirmed === true;
}

/** Replaces all recovery codes and returns the new ones. Only their hashes are stored. */
export async function replaceRecoveryCodes(tx: Tx, keys: FactorKeys, personId: string): Promise<string[]> {
  const codes = Array.from({ length: rule.count }, drawRecoveryCode);
  const own = await keys.obtain(personId);
  const hashes = codes.map(code => hashCode(own, code.replaceAll('-', '')));
  await sql`DELETE FROM recovery_codes WHERE person_id = ${personId}`.execute(tx);
  await sql`
    INSERT INTO recovery_codes (person_id, code_hash) SELECT ${personId}, unnest(${hashes}::bytea[])`.execute(
    tx,
  );
  return codes;
}

/** Removes the app, the recovery codes and all passkeys, and ends a waiting reset. */
export async function removeAllFactors(tx: Tx, personId: string): Promise<void> {
  await removeApp(tx, personId);
  await sql`DELETE FROM passkeys WHERE person_id = ${personId}`.execute(tx);
  await sql`DELETE FROM factor_resets WHERE person_id = ${personId}`.execute(tx);
}

/** No vowels, so that codes contain no words, and no letters that look alike. Twelve letters have 51 random bits. */
const alphabet = 'bcdfghjkmnpqrstvwxyz';

/** Twelve letters in groups of four. */
function drawRecoveryCode(): string {
  const letters = Array.from({ length: rule.letters }, () => alphabet[randomInt(alphabet.length)]).join('');
  return letters.replace(/(.{4})(?=.)/g, '$1-');
}

/** An HMAC, so that a stolen table gives no codes. `code` has no hyphens. */
function hashCode(own: Key, code: string): Buffer {
  return hmac(deriveKey(own, 'recovery codes'), code);
}

/**
 * The person's app under a row lock, with the database's time; undefined if there is none. If the person's key was erased, or
 * was lost and made again, `secret` is undefined and no code is right.
 */
async function lockApp(tx: Tx, keys: FactorKeys, personId: string) {
  type Row = { secret: Buffer; lastStep: bigint; isConfirmed: boolean; isPending: boolean; now: number };
  const found = await sql<Row>`
    SELECT secret, last_step AS "lastStep", confirmed_at IS NOT NULL AS "isConfirmed",
           confirmed_at IS NULL AND started_at > now() - make_interval(secs => ${totp.setupSeconds}) AS "isPending",
           extract(epoch FROM clock_timestamp())::float8 AS now
      FROM authenticator_apps WHERE person_id = ${personId} FOR UPDATE`.execute(tx);
  const row = found.rows[0];
  if (!row) return undefined;
  const own = await keys.find(personId);
  return { ...row, secret: own && decryptSecret(own, personId, row.secret) };
}

function decryptSecret(own: Key, personId: string, encrypted: Buffer): Buffer | undefined {
  try {
    return decryptBytes(secretKey(own), personId, encrypted);
  } catch (error) {
    if (error instanceof DecryptionFailed) return undefined;
    throw error;
  }
}
