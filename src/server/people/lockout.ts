/**
 * Counting wrong passwords and wrong codes, and locking the login. An attempt is counted before it is compared, under
 * the row's lock, so that no number of parallel guesses buys more of them. Only a completed login clears the counts: after
 * a lock has passed, one more wrong attempt locks again.
 */
import { sql } from 'kysely';
import { login } from '#contract/constants.ts';
import type { Tx } from '../db/database.ts';

/** A person's credentials, locked until the transaction ends. */
export type HeldCredentials = {
  personId: string;
  passwordHash: Buffer;
  wrongPasswords: number;
  wrongCodes: number;
  isLocked: boolean;
};

/** What a burnt attempt did. `lockedUntil` is given for the attempt that, if it is wrong, has locked the login. */
export type Burnt = { isLocked: boolean; lockedUntil?: string | undefined };

/** After so long whoever locked a login has told its owner, or is gone. */
const tellWithinSeconds = 30;

/** Counts may go on over many locks; the column is small. */
const highestCount = 30_000;

/** Takes a person's credentials for this transaction; undefined where there are none. */
export async function holdCredentials(tx: Tx, personId: string): Promise<HeldCredentials | undefined> {
  const found = await sql<HeldCredentials>`
    SELECT person_id AS "personId", password_hash AS "passwordHash", wrong_passwords AS "wrongPasswords",
           wrong_codes AS "wrongCodes", coalesce(locked_until > now(), false) AS "isLocked"
      FROM credentials WHERE person_id = ${personId} FOR UPDATE`.execute(tx);
  return found.rows[0];
}

/** Counts an attempt at the password before it is compared. A locked login counts nothing and is not compared. */
export async function burnPasswordAttempt(tx: Tx, held: HeldCredentials): Promise<Burnt> {
  const wrongPasswords = held.isLocked
    ? held.wrongPasswords
    : Math.min(held.wrongPasswords + 1, highestCount);
  const locks = !held.isLocked && wrongPasswords >= login.maxWrongPasswords;
  const lockedUntil = await writeCounts(tx, { ...held, wrongPasswords }, locks && 'not told yet');
  return { isLocked: held.isLocked, lockedUntil };
}

/**
 * Gives an attempt back that turned out right, or was never compared, and takes back the lock it set; never one that
 * somebody else set meanwhile. `burnt` is what its burning said.
 */
export async function refundPasswordAttempt(tx: Tx, personId: string, burnt: Burnt): Promise<void> {
  if (burnt.isLocked) return;
  const isOwn = sql`(locked_until IS NOT DISTINCT FROM ${burnt.lockedUntil ?? null}::timestamptz)`;
  await sql`
    UPDATE credentials
       SET wrong_passwords = greatest(wrong_passwords - 1, 0),
           locked_until = CASE WHEN ${isOwn} THEN NULL ELSE locked_until END,
           lock_notified = lock_notified OR ${isOwn}
     WHERE person_id = ${personId}`.execute(tx);
}

/**
 * Whether it falls to this attempt to tell the owner that the login is locked: to the one that locked it, or to a later
 * one where that one never came to it. True once for each lock.
 */
export async function claimTelling(tx: Tx, personId: string, burnt: Burnt): Promise<boolean> {
  if (!burnt.isLocked && burnt.lockedUntil === undefined) return false;
  const setBefore = login.lockSeconds - tellWithinSeconds;
  const claimed = await sql`
    UPDATE credentials SET lock_notified = true
     WHERE person_id = ${personId} AND NOT lock_notified
       AND (locked_until = ${burnt.lockedUntil ?? null}::timestamptz
            OR locked_until < now() + make_interval(secs => ${setBefore}))`.execute(tx);
  return claimed.numAffectedRows === 1n;
}

/** Counts a wrong code. Called in the transaction that burnt the code's attempt and compared it. */
export async function countWrongCode(tx: Tx, held: HeldCredentials): Promise<{ locks: boolean }> {
  const wrongCodes = Math.min(held.wrongCodes + 1, highestCount);
  const locks = wrongCodes >= login.maxWrongCodes;
  await writeCounts(tx, { ...held, wrongCodes }, locks && 'told');
  return { locks };
}

/**
 * Writes the counts even where nothing changed: a locked login must not answer faster than an open one. `locks` says
 * whether the login is locked with it, and whether the same transaction tells its owner. Gives until when it is.
 */
export async function writeCounts(
  tx: Tx,
  held: HeldCredentials,
  locks: 'told' | 'not told yet' | false,
): Promise<string | undefined> {
  const isLocking = locks !== false;
  const written = await sql<{ until: string | null }>`
    UPDATE credentials
       SET wrong_passwords = ${held.wrongPasswords}, wrong_codes = ${held.wrongCodes},
           locked_until = CASE WHEN ${isLocking} THEN now() + make_interval(secs => ${login.lockSeconds})
                               ELSE locked_until END,
           lock_notified = CASE WHEN ${isLocking} THEN ${locks === 'told'} ELSE lock_notified END
     WHERE person_id = ${held.personId}
    RETURNING locked_until::text AS until`.execute(tx);
  return isLocking ? (written.rows[0]?.until ?? undefined) : undefined;
}

/** A login was completed: every count starts again. */
export async function clearCounts(tx: Tx, personId: string): Promise<void> {
  await sql`
    UPDATE credentials SET wrong_passwords = 0, wrong_codes = 0, locked_until = NULL, lock_notified = true
     WHERE person_id = ${personId}`.execute(tx);
}
