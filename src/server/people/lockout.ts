/**
 * Counts wrong passwords and wrong codes, and locks the login or the reset. Each known device has its own counts and locks; all
 * other clients share one set. Parallel guesses get no extra attempts: a password is counted before it is compared, and a code
 * is compared and counted under one row lock. Only a completed login or reset clears the counts: after a lock expires, one more
 * wrong attempt locks again.
 */
import { sql } from 'kysely';
import { login } from '#contract/constants.ts';
import type { Tx } from '../db/database.ts';
import { isRecent, isRunning } from '../db/storedTimes.ts';
import type { CodePurpose } from './codes.ts';
import { type Browser, unknownDevices } from './knownDevices.ts';

/** A person's credentials, under a row lock until the transaction ends, with the counts that apply to the requesting client. */
export type LockedCredentials = {
  personId: string;
  passwordHash: Buffer;
  /** The known device whose counts these are; empty for the counts that all other clients share. */
  countedFor: Buffer;
  wrongPasswords: number;
  wrongCodes: number;
  wrongResetCodes: number;
  isLocked: boolean;
  isResetLocked: boolean;
};

/**
 * The result of counting an attempt. `lockedUntil` is set if this attempt has locked the login. A correct password removes that
 * lock.
 */
export type CountedAttempt = Pick<LockedCredentials, 'countedFor' | 'isLocked'> & {
  lockedUntil?: string | undefined;
};

/** A process that locked a login and has not notified the owner within this time counts as dead. */
const notifyWithinSeconds = 30;

/** Counts stop here. They can grow over many locks, but their columns are of the type smallint. */
const maxCount = 30_000;

/** Locks a person's credentials until the transaction ends; undefined if there are none. */
export async function lockCredentials(
  tx: Tx,
  personId: string,
  browser: Browser,
): Promise<LockedCredentials | undefined> {
  type Stored = Pick<LockedCredentials, 'personId' | 'passwordHash'>;
  const locked = await sql<Stored>`
    SELECT person_id AS "personId", password_hash AS "passwordHash"
      FROM credentials WHERE person_id = ${personId} FOR UPDATE`.execute(tx);
  const stored = locked.rows[0];
  if (!stored) return undefined;
  // A separate statement, because its snapshot is newer than the lock and includes what the previous holder of the lock
  // counted.
  const counted = await sql<Omit<LockedCredentials, keyof Stored>>`
    SELECT browser AS "countedFor", wrong_passwords AS "wrongPasswords", wrong_codes AS "wrongCodes",
           wrong_reset_codes AS "wrongResetCodes", coalesce(${isRunning(sql`locked_until`, login.lockSeconds)}, false) AS "isLocked",
           coalesce(${isRunning(sql`reset_locked_until`, login.lockSeconds)}, false) AS "isResetLocked"
      FROM login_devices
     WHERE person_id = ${personId} AND browser IN (${unknownDevices}, ${browser ?? unknownDevices})
       AND expires_at > now()
     ORDER BY length(browser) DESC LIMIT 1`.execute(tx);
  const none = {
    countedFor: unknownDevices,
    wrongPasswords: 0,
    wrongCodes: 0,
    wrongResetCodes: 0,
    isLocked: false,
    isResetLocked: false,
  };
  return { ...stored, ...(counted.rows[0] ?? none) };
}

/** Counts a password attempt before it is compared. If the login is locked, nothing is counted or compared. */
export async function countPasswordAttempt(tx: Tx, held: LockedCredentials): Promise<CountedAttempt> {
  const { countedFor, isLocked } = held;
  const wrongPasswords = isLocked ? held.wrongPasswords : Math.min(held.wrongPasswords + 1, maxCount);
  const locks = !isLocked && wrongPasswords >= login.maxWrongPasswords;
  const lockedUntil = await writeCounts(
    tx,
    { ...held, wrongPasswords },
    locks ? 'login, not notified' : undefined,
  );
  return { countedFor, isLocked, lockedUntil };
}

/**
 * Refunds an attempt that was right or was never compared. Also removes the lock that this attempt set, but not a lock that a
 * later attempt set. `attempt`: what `countPasswordAttempt` returned.
 */
export async function refundPasswordAttempt(
  tx: Tx,
  personId: string,
  attempt: CountedAttempt,
): Promise<void> {
  if (attempt.isLocked) return;
  const isOwn = sql`(locked_until IS NOT DISTINCT FROM ${attempt.lockedUntil ?? null}::timestamptz)`;
  await sql`
    UPDATE login_devices
       SET wrong_passwords = greatest(wrong_passwords - 1, 0),
           locked_until = CASE WHEN ${isOwn} THEN NULL ELSE locked_until END,
           lock_notified = lock_notified OR ${isOwn}
     WHERE person_id = ${personId} AND browser = ${attempt.countedFor}`.execute(tx);
}

/**
 * Returns true to the one attempt that must record the lock and notify the owner. That is the attempt that set the lock, or a
 * later one if the process of that attempt died.
 */
export async function claimNotification(tx: Tx, personId: string, attempt: CountedAttempt): Promise<boolean> {
  if (!attempt.isLocked && attempt.lockedUntil === undefined) return false;
  const setBefore = login.lockSeconds - notifyWithinSeconds;
  const claimed = await sql`
    UPDATE login_devices SET lock_notified = true
     WHERE person_id = ${personId} AND browser = ${attempt.countedFor} AND NOT lock_notified
       AND (locked_until = ${attempt.lockedUntil ?? null}::timestamptz
            OR locked_until < now() + make_interval(secs => ${setBefore}))`.execute(tx);
  return claimed.numAffectedRows === 1n;
}

/**
 * Claims the mail about a lock. Returns false if the owner got one in the last day, and no reset or counted login was completed
 * since: without this limit, an attacker could make the bank mail the owner four times an hour.
 */
export async function claimLockMail(
  tx: Tx,
  personId: string,
  { countedFor }: Pick<LockedCredentials, 'countedFor'>,
): Promise<boolean> {
  const claimed = await sql`
    UPDATE login_devices SET lock_mailed_at = now()
     WHERE person_id = ${personId} AND browser = ${countedFor}
       AND ${isRecent(sql`lock_mailed_at`, 86_400)} IS NOT TRUE`.execute(tx);
  return claimed.numAffectedRows === 1n;
}

/**
 * Counts a wrong code. Wrong login codes lock the login, wrong reset codes the reset. Called in the transaction that compared
 * the code, and that also counted the attempt against that code.
 */
export async function countWrongCode(
  tx: Tx,
  held: LockedCredentials,
  purpose: CodePurpose,
): Promise<{ locks: boolean }> {
  const count = purpose === 'login' ? 'wrongCodes' : 'wrongResetCodes';
  const wrong = Math.min(held[count] + 1, maxCount);
  const locks = wrong >= login.maxWrongCodes;
  await writeCounts(tx, { ...held, [count]: wrong }, locks ? purpose : undefined);
  return { locks };
}

/**
 * Writes the counts even if nothing changed, because a locked login must not answer faster than an open one. `locks`: what to
 * lock, and for a login whether this transaction notifies the owner. Returns the end of a new lock of the login as text.
 */
export async function writeCounts(
  tx: Tx,
  held: LockedCredentials,
  locks?: CodePurpose | 'login, not notified',
): Promise<string | undefined> {
  const [locksLogin, locksReset] = [locks !== undefined && locks !== 'reset', locks === 'reset'];
  const end = sql`now() + make_interval(secs => ${login.lockSeconds})`;
  const written = await sql<{ until: string | null }>`
    INSERT INTO login_devices AS device
           (person_id, browser, wrong_passwords, wrong_codes, wrong_reset_codes, locked_until, reset_locked_until,
            lock_notified)
    VALUES (${held.personId}, ${held.countedFor}, ${held.wrongPasswords}, ${held.wrongCodes}, ${held.wrongResetCodes},
            CASE WHEN ${locksLogin} THEN ${end} END, CASE WHEN ${locksReset} THEN ${end} END,
            ${locks !== 'login, not notified'})
        ON CONFLICT (person_id, browser) DO UPDATE
       SET wrong_passwords = excluded.wrong_passwords, wrong_codes = excluded.wrong_codes,
           wrong_reset_codes = excluded.wrong_reset_codes,
           locked_until = coalesce(excluded.locked_until, device.locked_until),
           reset_locked_until = coalesce(excluded.reset_locked_until, device.reset_locked_until),
           lock_notified = CASE WHEN ${locksLogin} THEN excluded.lock_notified ELSE device.lock_notified END
    RETURNING locked_until::text AS until`.execute(tx);
  return locksLogin ? (written.rows[0]?.until ?? undefined) : undefined;
}
