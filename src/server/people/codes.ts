/**
 * One-time codes: generated, stored as a keyed hash, compared. Each browser has at most one live code per person and purpose,
 * and a code works only in the browser that requested it. A code expires after five minutes by the database's clock or after
 * five attempts.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import * as z from 'zod/mini';
import { code as rule } from '#contract/constants.ts';
import { id as idRule } from '#contract/fields.ts';
import { decrypt, encrypt } from '../base/encryption.ts';
import { deriveKey, hmac, isHmac, type Key } from '../base/keys.ts';
import { newId } from '../base/uuid.ts';
import type { Reader, Tx } from '../db/database.ts';
import { isRecent, isRunning } from '../db/storedTimes.ts';
import type { Browser } from './knownDevices.ts';

export type CodePurpose = 'login' | 'reset';

/** Six random digits; leading zeros are kept. */
export function generateCode(): string {
  return String(randomInt(10 ** rule.length)).padStart(rule.length, '0');
}

/**
 * Seconds until another code may be sent, by the cooldown and by the hourly limit; 0 or less if it may be sent now. `sent`
 * selects `t`, the times of earlier codes. Uses `clock_timestamp()`: `now()` is the start of the transaction, which may have
 * waited for a lock.
 */
export async function readCodeWaits(
  tx: Tx,
  sent: RawBuilder<unknown>,
  perHour: number,
): Promise<{ cooldown: number; hour: number }> {
  const found = await sql<{ cooldown: number; hour: number }>`
    WITH sent AS (SELECT t FROM (${sent}) s WHERE ${isRecent(sql`t`, 3_600)})
    SELECT coalesce(ceil(extract(epoch FROM (SELECT max(t) FROM sent) + make_interval(secs => ${rule.resendCooldownSeconds})
                                           - clock_timestamp())), 0)::float8 AS cooldown,
           coalesce(ceil(extract(epoch FROM (SELECT t FROM sent ORDER BY t DESC OFFSET ${perHour - 1} LIMIT 1)
                                           + interval '1 hour' - clock_timestamp())), 0)::float8 AS hour`.execute(
    tx,
  );
  return found.rows[0]!;
}

/** An HMAC whose key is not in the database. Otherwise all million codes could be tried against a stolen hash. */
export const hashCode = (codeKey: Key, codeId: string, code: string): Buffer =>
  hmac(codeKey, `code\0${codeId}\0${code}`);

/** Whether this is the code whose hash is stored. The hash may have been made with a former version of the key. */
export const isCode = (codeKey: Key, codeId: string, code: string, hash: Uint8Array): boolean =>
  isHmac(codeKey, `code\0${codeId}\0${code}`, hash);

const mailKey = (codeKey: Key) => deriveKey(codeKey, 'codes on their way');

/** Encrypts a code for the job queue, as base64url text. */
export function encryptCode(code: string, codeKey: Key): string {
  return encrypt(mailKey(codeKey), 'mail', code).toString('base64url');
}

/** Decrypts the result of `encryptCode`. Throws if the key differs or the text was changed. */
export function decryptCode(encrypted: string, codeKey: Key): string {
  return decrypt(mailKey(codeKey), 'mail', Buffer.from(encrypted, 'base64url'));
}

/**
 * Issues a code and voids any earlier one for the same purpose and browser. `begunAt`: when the login began. A resend keeps
 * that time. The transaction must hold the lock on the person's credentials, so that concurrent calls cannot issue two live
 * codes.
 */
export async function issueCode(tx: Tx, codeKey: Key, options: CodeOptions): Promise<string> {
  const code = generateCode();
  await storeCode(tx, codeKey, code, options);
  return code;
}

/**
 * Issues a ticket, which proves in the second step of an administrator's login that the password was right. A ticket expires
 * like a code, and its attempts count like those of a code.
 */
export async function issueTicket(
  tx: Tx,
  codeKey: Key,
  options: { personId: string; browser: Browser },
): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  const id = await storeCode(tx, codeKey, secret, { ...options, purpose: 'login' });
  return `${id}.${secret}`;
}

/** The person to whom a ticket was issued; undefined if it is forged, used, voided, expired or out of attempts. */
export async function readTicket(reader: Reader, codeKey: Key, ticket: string): Promise<string | undefined> {
  const [id = '', secret = ''] = ticket.split('.');
  if (!z.safeParse(idRule, id).success) return undefined;
  const found = await sql<{ person_id: string; code_hash: Buffer }>`
    SELECT person_id, code_hash FROM codes
     WHERE id = ${id} AND purpose = 'login' AND consumed_at IS NULL AND superseded_at IS NULL
       AND ${isRunning(sql`expires_at`, rule.lifeSeconds)} AND attempts < ${rule.maxAttempts}`.execute(
    reader,
  );
  const live = found.rows[0];
  return live && isCode(codeKey, id, secret, live.code_hash) ? live.person_id : undefined;
}

type CodeOptions = { personId: string; purpose: CodePurpose; browser: Browser; begunAt?: Date };

async function storeCode(tx: Tx, codeKey: Key, code: string, options: CodeOptions): Promise<string> {
  const id = newId();
  const { personId, purpose, browser = null } = options;
  await sql`
    UPDATE codes SET superseded_at = now()
     WHERE person_id = ${personId} AND purpose = ${purpose} AND browser IS NOT DISTINCT FROM ${browser}
       AND consumed_at IS NULL AND superseded_at IS NULL`.execute(tx);
  await sql`
    INSERT INTO codes (id, person_id, purpose, browser, code_hash, begun_at, expires_at)
    VALUES (${id}, ${personId}, ${purpose}, ${browser}, ${hashCode(codeKey, id, code)},
            coalesce(${options.begunAt ?? null}::timestamptz, now()),
            now() + make_interval(secs => ${rule.lifeSeconds}))`.execute(tx);
  return id;
}

/** Voids all codes and tickets of a person that were not used. Returns how many of them had not expired. */
export async function voidCodes(tx: Tx, personId: string): Promise<number> {
  const voided = await sql<{ isLive: boolean }>`
    UPDATE codes SET superseded_at = now()
     WHERE person_id = ${personId} AND consumed_at IS NULL AND superseded_at IS NULL
    RETURNING expires_at > now() AS "isLive"`.execute(tx);
  return voided.rows.filter(({ isLive }) => isLive).length;
}

/**
 * Compares a guess with the live code. The attempt is counted before the comparison; a correct guess consumes the code. Returns
 * 'none' if there is no live code: none was issued to this browser, or it is used, voided, expired or out of attempts. If the
 * person's codes come from an app, `compare` checks the guess instead of the stored hash.
 */
export async function checkCode(
  tx: Tx,
  codeKey: Key,
  guess: { personId: string; purpose: CodePurpose; browser: Browser; code: string },
  compare?: () => Promise<boolean>,
): Promise<'right' | 'wrong' | 'none'> {
  const counted = await sql<{ id: string; code_hash: Buffer }>`
    UPDATE codes SET attempts = attempts + 1
     WHERE person_id = ${guess.personId} AND purpose = ${guess.purpose}
       AND browser IS NOT DISTINCT FROM ${guess.browser ?? null}
       AND consumed_at IS NULL AND superseded_at IS NULL
       AND ${isRunning(sql`expires_at`, rule.lifeSeconds)} AND attempts < ${rule.maxAttempts}
    RETURNING id, code_hash`.execute(tx);
  const live = counted.rows[0];
  if (!live) return 'none';
  const isRight = compare ? await compare() : isCode(codeKey, live.id, guess.code, live.code_hash);
  if (!isRight) return 'wrong';
  const consumed = await sql`
    UPDATE codes SET consumed_at = now() WHERE id = ${live.id} AND consumed_at IS NULL`.execute(tx);
  return consumed.numAffectedRows === 1n ? 'right' : 'none';
}
