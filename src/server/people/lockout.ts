/**
 * Counts wrong passwords and wrong codes, and locks the login. An attempt is counted before it is compared, under the row
 * lock, so parallel guesses get no extra attempts. Only a completed login resets the counts: after a lock expires, one more
 * wrong attempt locks again.
 */
import { sql } from 'kysely';
import { login } from '#contract/constants.ts';
import type { Tx } from '../db/database.ts';

/** A person's credentials, under a row lock until the transaction ends. */
export type LockedCredentials = {
  personId: string;
  passwordHash: Buffer;
  wrongPasswords: number;
  wrongCodes: number;
  isLocked: boolean;
};

/** The result of counting an attempt. `lockedUntil` is set if this attempt locks the login unless it turns out right. */
export type CountedAttempt = { isLocked: boolean; lockedUntil?: string | undefined };

/** The process that locked a login notifies the owner within this time, or it has died. */
const notifyWithinSeconds = 30;

/** Counts can grow over many locks; the column is a smallint. */
const maxCount = 30_000;

/** Locks a person's credentials until the transaction ends; undefined if there are none. */
export async function lockCredentials(tx: Tx, personId: string): Promise<LockedCredentials | undefined> {
  const found = await sql<LockedCredentials>`
    SELECT person_id AS "personId", password_hash AS "passwordHash", wrong_passwords AS "wrongPasswords",
           wrong_codes AS "wrongCodes", coalesce(locked_until > now(), false) AS "isLocked"
      FROM credentials WHERE person_id = ${personId} FOR UPDATE`.execute(tx);
  return found.rows[0];
}

/** Counts a password attempt before it is compared. A locked login counts nothing and compares nothing. */
export async function countPasswordAttempt(tx: Tx, held: LockedCredentials): Promise<CountedAttempt> {
  const wrongPasswords = held.isLocked ? held.wrongPasswords : Math.min(held.wrongPasswords + 1, maxCount);
  const locks = !held.isLocked && wrongPasswords >= login.maxWrongPasswords;
  const lockedUntil = await writeCounts(tx, { ...held, wrongPasswords }, locks && 'not notified');
  return { isLocked: held.isLocked, lockedUntil };
}

/**
 * Refunds an attempt that was right or was never compared, and removes the lock it set, but not a lock that another attempt
 * set in the meantime. `attempt`: the result of counting it.
 */
export async function refundPasswordAttempt(
  tx: Tx,
  personId: string,
  attempt: CountedAttempt,
): Promise<void> {
  if (attempt.isLocked) return;
  const isOwn = sql`(locked_until IS NOT DISTINCT FROM ${attempt.lockedUntil ?? null}::timestamptz)`;
  await sql`
    UPDATE credentials
       SET wrong_passwords = greatest(wrong_passwords - 1, 0),
           locked_until = CASE WHEN ${isOwn} THEN NULL ELSE locked_until END,
           lock_notified = lock_notified OR ${isOwn}
     WHERE person_id = ${personId}`.execute(tx);
}

/**
 * Claims the notification of the owner about a lock: for the attempt that locked the login, or for a later one if that process
 * died first. Returns true once per lock.
 */
export async function claimNotification(tx: Tx, personId: string, attempt: CountedAttempt): Promise<boolean> {
  if (!attempt.isLocked && attempt.lockedUntil === undefined) return false;
  const setBefore = login.lockSeconds - notifyWithinSeconds;
  const claimed = await sql`
    UPDATE credentials SET lock_notified = true
     WHERE person_id = ${personId} AND NOT lock_notified
       AND (locked_until = ${attempt.lockedUntil ?? null}::timestamptz
            OR locked_until < now() + make_interval(secs => ${setBefore}))`.execute(tx);
  return claimed.numAffectedRows === 1n;
}

/** Counts a wrong code. Called in the transaction that counted the code's attempt and compared it. */
export async function countWrongCode(tx: Tx, held: LockedCredentials): Promise<{ locks: boolean }> {
  const wrongCodes = Math.min(held.wrongCodes + 1, maxCount);
  const locks = wrongCodes >= login.maxWrongCodes;
  await writeCounts(tx, { ...held, wrongCodes }, locks && 'notified');
  return { locks };
}

/**
 * Writes the counts even if nothing changed: a locked login must not answer faster than an open one. `locks`: whether to lock
 * the login, and whether this transaction notifies the owner. Returns the end of a new lock as text.
 */
export async function writeCounts(
  tx: Tx,
  held: LockedCredentials,
  locks: 'notified' | 'not notified' | false,
): Promise<string | undefined> {
  const isLocking = locks !== false;
  const written = await sql<{ until: string | null }>`
    UPDATE credentials
       SET wrong_passwords = ${held.wrongPasswords}, wrong_codes = ${held.wrongCodes},
           locked_until = CASE WHEN ${isLocking} THEN now() + make_interval(secs => ${login.lockSeconds})
                               ELSE locked_until END,
           lock_notified = CASE WHEN ${isLocking} THEN ${locks === 'notified'} ELSE lock_notified END
     WHERE person_id = ${held.personId}
    RETURNING locked_until::text AS until`.execute(tx);
  return isLocking ? (written.rows[0]?.until ?? undefined) : undefined;
}

/** Resets the counts after a completed login. */
export async function clearCounts(tx: Tx, personId: string): Promise<void> {
  await sql`
    UPDATE credentials SET wrong_passwords = 0, wrong_codes = 0, locked_until = NULL, lock_notified = true
     WHERE person_id = ${personId}`.execute(tx);
}
