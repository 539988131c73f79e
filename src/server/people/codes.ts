/**
 * One-time codes: made, kept as a keyed hash, compared. One lives per person and purpose, for five minutes of the
 * database's clock and five attempts.
 */
import { createHmac, hkdfSync, randomInt, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { code as rule } from '#contract/constants.ts';
import { newId } from '../base/uuid.ts';
import type { Tx } from '../db/database.ts';
import { decrypt, encrypt } from './encryption.ts';

export type CodePurpose = 'login' | 'reset';

/** Six random digits, leading zeros kept. */
function drawCode(): string {
  return String(randomInt(10 ** rule.length)).padStart(rule.length, '0');
}

/** Keyed with a secret outside the database: a million codes are soon tried against anything less. */
function hashCode(codeKey: Uint8Array, codeId: string, code: string): Buffer {
  return createHmac('sha256', codeKey).update(`code\0${codeId}\0${code}`).digest();
}

const mailKey = (codeKey: Uint8Array) =>
  new Uint8Array(hkdfSync('sha256', codeKey, 'larkspur-bank', 'codes on their way', 32));

/** A code as it may wait in the job queue, as text. */
export function encryptCode(code: string, codeKey: Uint8Array): string {
  return encrypt(mailKey(codeKey), 'mail', code).toString('base64url');
}

/** The code of `sealCode`. Throws where it was made with another key or changed. */
export function decryptCode(sealed: string, codeKey: Uint8Array): string {
  return decrypt(mailKey(codeKey), 'mail', Buffer.from(sealed, 'base64url'));
}

/**
 * Makes the one live code of a person and purpose; a former one dies. `begunAt` is given on by a resend. The person's
 * credentials must be held by this transaction, so that two of them cannot make two codes.
 */
export async function issueCode(
  tx: Tx,
  codeKey: Uint8Array,
  asked: { personId: string; purpose: CodePurpose; begunAt?: Date },
): Promise<string> {
  const id = newId();
  const code = drawCode();
  await voidCodes(tx, asked.personId, asked.purpose);
  await sql`
    INSERT INTO codes (id, person_id, purpose, code_hash, begun_at, expires_at)
    VALUES (${id}, ${asked.personId}, ${asked.purpose}, ${hashCode(codeKey, id, code)},
            coalesce(${asked.begunAt ?? null}::timestamptz, now()),
            now() + make_interval(secs => ${rule.lifeSeconds}))`.execute(tx);
  return code;
}

/** Ends whatever code a person has for a purpose, or for every purpose. */
export async function voidCodes(tx: Tx, personId: string, purpose?: CodePurpose): Promise<void> {
  await sql`
    UPDATE codes SET superseded_at = now()
     WHERE person_id = ${personId} AND purpose = coalesce(${purpose ?? null}, purpose)
       AND consumed_at IS NULL AND superseded_at IS NULL`.execute(tx);
}

/**
 * Compares a guess with the live code, whose attempt is burnt first; the right one consumes it. 'none' where there is
 * nothing to compare with: no code, or it is used, too old or out of attempts.
 */
export async function checkCode(
  tx: Tx,
  codeKey: Uint8Array,
  guess: { personId: string; purpose: CodePurpose; code: string },
): Promise<'right' | 'wrong' | 'none'> {
  const burnt = await sql<{ id: string; code_hash: Buffer }>`
    UPDATE codes SET attempts = attempts + 1
     WHERE person_id = ${guess.personId} AND purpose = ${guess.purpose}
       AND consumed_at IS NULL AND superseded_at IS NULL
       AND expires_at > now() AND attempts < ${rule.maxAttempts}
    RETURNING id, code_hash`.execute(tx);
  const live = burnt.rows[0];
  if (!live) return 'none';
  if (!timingSafeEqual(live.code_hash, hashCode(codeKey, live.id, guess.code))) return 'wrong';
  const consumed = await sql`
    UPDATE codes SET consumed_at = now() WHERE id = ${live.id} AND consumed_at IS NULL`.execute(tx);
  return consumed.numAffectedRows === 1n ? 'right' : 'none';
}
