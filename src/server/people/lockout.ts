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

/** What a burnt attempt did. `locks` is true for the attempt that, if it is wrong, has locked the login. */
export type Burnt = { isLocked: boolean; locks: boolean };

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
  await writeCounts(tx, { ...held, wrongPasswords }, locks);
  return { isLocked: held.isLocked, locks };
}

/** Gives an attempt back that turned out right, or was never compared. `burnt` is what its burning said. */
export async function refundPasswordAttempt(tx: Tx, personId: string, burnt: Burnt): Promise<void> {
  if (burnt.isLocked) return;
  await sql`
    UPDATE credentials
       SET wrong_passwords = greatest(wrong_passwords - 1, 0),
           locked_until = CASE WHEN ${burnt.locks} THEN NULL ELSE locked_until END
     WHERE person_id = ${personId}`.execute(tx);
}

/** Counts a wrong code. Called in the transaction that burnt the code's attempt and compared it. */
export async function countWrongCode(tx: Tx, held: HeldCredentials): Promise<{ locks: boolean }> {
  const wrongCodes = Math.min(held.wrongCodes + 1, highestCount);
  const locks = wrongCodes >= login.maxWrongCodes;
  await writeCounts(tx, { ...held, wrongCodes }, locks);
  return { locks };
}

/** Writes the counts even where nothing changed: a locked login must not answer faster than an open one. */
export async function writeCounts(tx: Tx, held: HeldCredentials, locks: boolean): Promise<void> {
  await sql`
    UPDATE credentials
       SET wrong_passwords = ${held.wrongPasswords}, wrong_codes = ${held.wrongCodes},
           locked_until = CASE WHEN ${locks} THEN now() + make_interval(secs => ${login.lockSeconds})
                               ELSE locked_until END
     WHERE person_id = ${held.personId}`.execute(tx);
}

/** A login was completed: every count starts again. */
export async function clearCounts(tx: Tx, personId: string): Promise<void> {
  await sql`
    UPDATE credentials SET wrong_passwords = 0, wrong_codes = 0, locked_until = NULL
     WHERE person_id = ${personId}`.execute(tx);
}
