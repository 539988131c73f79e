/**
 * The password step of every login, and of every change that asks for the password again. Unknown, wrong and locked are
 * one answer, with the same writing and the same hashing behind it.
 */
import { sql } from 'kysely';
import { Refusal } from '#contract/errors.ts';
import { recordAudit } from '../db/audit.ts';
import type { Database, Tx } from '../db/database.ts';
import type { PersonKind } from '../db/personKind.ts';
import { burnUnknown, toAddressKey } from './addressKey.ts';
import {
  type Burnt,
  burnPasswordAttempt,
  claimTelling,
  holdCredentials,
  refundPasswordAttempt,
} from './lockout.ts';
import { oneAtATime } from './oneAtATime.ts';
import { checkPassword, type HashQueue, hashPassword, type PasswordKeys } from './passwords.ts';
import { holdSession } from './sessions.ts';

/** Where the password step finds people and keys. */
export type PeopleRoom = {
  readonly database: Database;
  readonly secrets: PasswordKeys & { readonly codeKey: Uint8Array };
};

/** Who tries: by e-mail at a login, by a session that says who. `address` is where from, for the audit. */
export type PasswordAttempt = {
  kind: PersonKind;
  who: { email: string } | { personId: string; sessionId: string };
  password: string;
  address: string;
};

/** Somebody whose password was right; `passwordHash` is the stored form it was compared with. */
export type Recognised = { personId: string; passwordHash: Buffer };

/**
 * Tries a password: the person where it is right, undefined where it is wrong, the person unknown or the login locked. One
 * with a session whose password was changed while this attempt waited is told no too, and spends nothing where it was right
 * before. `tellOwner` is called, in the transaction that records it, by one attempt for each lock. Refuses `BUSY`, and
 * `NOT_AUTHORIZED` where the session has ended meanwhile, without spending an attempt.
 */
export async function attemptPassword(
  room: PeopleRoom,
  attempt: PasswordAttempt,
  tellOwner: (tx: Tx, personId: string) => Promise<void>,
): Promise<Recognised | undefined> {
  const { kind, who } = attempt;
  const former = 'personId' in who ? await readHash(room, who.personId) : undefined;
  return await oneAtATime(`${kind} ${'email' in who ? who.email : who.personId}`, async () => {
    const personId = 'email' in who ? await findPerson(room, kind, who.email) : who.personId;
    const { burnt, passwordHash } = await burn(room, attempt, personId);
    const stored =
      personId !== undefined && passwordHash && !burnt.isLocked ? { personId, passwordHash } : undefined;
    const { isRight, isOutdated } = await checkPassword(
      room.secrets,
      kind,
      stored,
      attempt.password,
      queueOf(attempt),
    ).catch(async error => {
      if (stored) await room.database.inTransaction(tx => refundPasswordAttempt(tx, stored.personId, burnt));
      throw error;
    });
    if (!isRight || !stored) {
      const isOvertaken = stored !== undefined && (await wasRight(room, attempt, stored, former));
      await room.database.inTransaction(async tx => {
        if (isOvertaken) return await refundPasswordAttempt(tx, stored.personId, burnt);
        const tells = personId !== undefined && (await claimTelling(tx, personId, burnt));
        await recordWrong(tx, attempt, personId, burnt, tells);
        if (tells) await tellOwner(tx, personId);
      });
      return undefined;
    }
    await room.database.inTransaction(tx => refundPasswordAttempt(tx, stored.personId, burnt));
    // The next login renews it where this one cannot.
    return isOutdated ? await renewHash(room, attempt, stored).catch(() => stored) : stored;
  });
}

async function readHash({ database }: PeopleRoom, personId: string): Promise<Buffer | undefined> {
  const found = await sql<{ hash: Buffer }>`
    SELECT password_hash AS hash FROM credentials WHERE person_id = ${personId}`.execute(database.reader);
  return found.rows[0]?.hash;
}

/**
 * Whether a password that is wrong now was right when it was typed: presses of one button overtake each other, and must
 * not lock their own login. What cannot be compared stays wrong, for it was compared with today's.
 */
async function wasRight(
  { secrets }: PeopleRoom,
  attempt: PasswordAttempt,
  { personId, passwordHash }: Recognised,
  former: Buffer | undefined,
): Promise<boolean> {
  if (!former || former.equals(passwordHash)) return false;
  const typed = { personId, passwordHash: former };
  return await checkPassword(secrets, attempt.kind, typed, attempt.password, queueOf(attempt)).then(
    ({ isRight }) => isRight,
    () => false,
  );
}

/** A login names an email address; a person with a session is named by id. */
const queueOf = ({ who }: PasswordAttempt): HashQueue => ('email' in who ? 'visitor' : 'session');

/** The customer or administrator with this e-mail, if there is one. */
export async function findPerson(
  room: Pick<PeopleRoom, 'database'>,
  kind: PersonKind,
  email: string,
): Promise<string | undefined> {
  const table =
    kind === 'customer'
      ? sql`customers WHERE deleted_at IS NULL AND`
      : sql`admins WHERE disabled_at IS NULL AND`;
  const found = await sql<{ id: string }>`SELECT id FROM ${table} email = ${email}`.execute(
    room.database.reader,
  );
  return found.rows[0]?.id;
}

function burn(
  room: PeopleRoom,
  { kind, who }: PasswordAttempt,
  personId: string | undefined,
): Promise<{ burnt: Burnt; passwordHash: Buffer | undefined }> {
  return room.database.inTransaction(async tx => {
    const held = personId === undefined ? undefined : await holdCredentials(tx, personId);
    if (held) {
      if ('sessionId' in who && !(await holdSession(tx, who.personId, who.sessionId)))
        throw new Refusal('NOT_AUTHORIZED');
      return { burnt: await burnPasswordAttempt(tx, held), passwordHash: held.passwordHash };
    }
    const typed = 'email' in who ? who.email : who.personId;
    await burnUnknown(tx, toAddressKey(room.secrets.codeKey, `${kind}-login`, typed));
    return { burnt: { isLocked: false }, passwordHash: undefined };
  });
}

async function recordWrong(
  tx: Tx,
  { kind, who, address }: PasswordAttempt,
  personId: string | undefined,
  burnt: Burnt,
  tells: boolean,
): Promise<void> {
  const reason = personId === undefined ? 'unknown' : burnt.isLocked ? 'locked' : 'wrong-password';
  await recordAudit(tx, {
    actor: personId === undefined ? { kind } : { kind, id: personId },
    action: tells ? 'login.locked' : 'email' in who ? 'login.failed' : 'password.wrong',
    ...(personId !== undefined && { subject: personId }),
    address,
    data: { reason },
  });
}

/** Hashes again with today's costs; where somebody changed the password meanwhile, theirs stays. */
async function renewHash(
  room: PeopleRoom,
  attempt: PasswordAttempt,
  stored: Recognised,
): Promise<Recognised> {
  const { kind, password } = attempt;
  const passwordHash = await hashPassword(room.secrets, kind, stored.personId, password, queueOf(attempt));
  const isRenewed = await room.database.inTransaction(tx =>
    replacePassword(tx, stored.personId, passwordHash, stored.passwordHash),
  );
  return isRenewed ? { personId: stored.personId, passwordHash } : stored;
}

/** Stores a new hash. With `former`, only where that one still stands; false where it does not. */
export async function replacePassword(
  tx: Tx,
  personId: string,
  passwordHash: Buffer,
  former?: Buffer,
): Promise<boolean> {
  const changed = await sql`
    UPDATE credentials SET password_hash = ${passwordHash}
     WHERE person_id = ${personId} AND password_hash = coalesce(${former ?? null}, password_hash)`.execute(
    tx,
  );
  return changed.numAffectedRows === 1n;
}
