/**
 * The password step of every login, and of every change that asks for the password again. An unknown person, a wrong password
 * and a locked login get the same answer, after the same writes and the same hashing.
 */
import { sql } from 'kysely';
import { invalidField, Refusal } from '#contract/errors.ts';
import * as settingsMessages from '#contract/messages/settings.ts';
import type { Key } from '../base/keys.ts';
import { recordAudit } from '../db/audit.ts';
import type { Database, Tx } from '../db/database.ts';
import type { PersonKind } from '../db/personKind.ts';
import { countUnknownAttempt, toAddressKey } from './addressKey.ts';
import { recordFailedAttempt } from './failedAttempts.ts';
import { type Browser, isKnownDevice, unknownDevices } from './knownDevices.ts';
import {
  type CountedAttempt,
  claimLockMail,
  claimNotification,
  countPasswordAttempt,
  lockCredentials,
  refundPasswordAttempt,
} from './lockout.ts';
import { oneAtATime } from './oneAtATime.ts';
import {
  bySession,
  byVisitor,
  checkPassword,
  type HashRequest,
  hashPassword,
  type PasswordKeys,
} from './passwords.ts';
import { lockSession } from './sessions.ts';

/** The database and the keys that the password step needs. */
export type PeopleContext = {
  readonly database: Database;
  readonly secrets: PasswordKeys & { readonly codeKey: Key };
};

/** A login identifies the person by email, a later check by the session. `address`: the IP address, for the audit log. */
export type PasswordAttempt = {
  kind: PersonKind;
  who: { email: string } | { personId: string; sessionId: string };
  password: string;
  address: string;
  browser: Browser;
};

/** A person whose password was right; `passwordHash` is the stored hash it was compared with. */
export type Recognized = { personId: string; passwordHash: Buffer };

/**
 * Checks a password. Returns the person if it is right; undefined if it is wrong, the person is unknown or the login is locked.
 * An attempt in a session may race with a change of the password. If the former password was typed, the result is undefined,
 * but the attempt does not count as wrong. Calls `notifyOwner` in the transaction that records a lock, at most once a day.
 * Refuses `BUSY` if too many attempts are waiting, and `NOT_AUTHORIZED` if the session has ended. A refused attempt is not
 * counted.
 */
export async function attemptPassword(
  context: PeopleContext,
  attempt: PasswordAttempt,
  notifyOwner: NotifyOwner,
): Promise<Recognized | undefined> {
  const { who } = attempt;
  if (!('personId' in who)) return await queueAttempt(context, attempt, undefined, notifyOwner);
  return await withHashOnArrival(context, who.personId, former =>
    queueAttempt(context, attempt, former, notifyOwner),
  );
}

/** For each person with unanswered attempts, the hash that was stored when the first of them arrived. */
const hashesOnArrival = new Map<string, { hash: Promise<Buffer | undefined>; attempts: number }>();

/**
 * Passes to `work` the hash that was stored when the first of a person's parallel attempts arrived. If each attempt read the
 * hash, it might get a connection only after an earlier attempt has changed the password.
 */
async function withHashOnArrival<T>(
  context: PeopleContext,
  personId: string,
  work: (former: Buffer | undefined) => Promise<T>,
): Promise<T> {
  const entry = hashesOnArrival.get(personId) ?? { hash: readHash(context, personId), attempts: 0 };
  hashesOnArrival.set(personId, entry);
  entry.attempts++;
  try {
    return await work(await entry.hash);
  } finally {
    entry.attempts--;
    if (entry.attempts === 0) hashesOnArrival.delete(personId);
  }
}

async function queueAttempt(
  context: PeopleContext,
  attempt: PasswordAttempt,
  former: Buffer | undefined,
  notifyOwner: NotifyOwner,
): Promise<Recognized | undefined> {
  const { kind, who, browser, address } = attempt;
  const isKnown = await isFromKnownDevice(context, attempt);
  const login = `${kind} ${'email' in who ? who.email : who.personId}`;
  // A known device has a queue of its own, so a flood of guesses at the same login does not delay it.
  const key = isKnown ? `${login} ${browser!.toString('hex')}` : login;
  const hashing: HashRequest = 'email' in who ? byVisitor(address, isKnown) : bySession(kind, address);
  const work = () => attemptNow(context, attempt, { former, hashing, notifyOwner });
  return await oneAtATime(key, address, work);
}

type NotifyOwner = (tx: Tx, personId: string) => Promise<void>;

/** `former`: the person's stored hash from `withHashOnArrival`, if the request has a session. */
async function attemptNow(
  context: PeopleContext,
  attempt: PasswordAttempt,
  {
    former,
    hashing,
    notifyOwner,
  }: { former: Buffer | undefined; hashing: HashRequest; notifyOwner: NotifyOwner },
): Promise<Recognized | undefined> {
  const { kind, who } = attempt;
  const personId = 'email' in who ? await findPerson(context, kind, who.email) : who.personId;
  const { counted, passwordHash } = await countAttempt(context, attempt, personId);
  const stored =
    personId !== undefined && passwordHash && !counted.isLocked ? { personId, passwordHash } : undefined;
  const { isRight, isOutdated } = await checkPassword(
    context.secrets,
    kind,
    stored,
    attempt.password,
    hashing,
  ).catch(async error => {
    if (stored)
      await context.database.inTransaction(tx => refundPasswordAttempt(tx, stored.personId, counted));
    throw error;
  });
  if (!isRight || !stored) {
    const wasRightBefore =
      stored !== undefined && (await wasRight(context, attempt, stored, former, hashing));
    await context.database.inTransaction(async tx => {
      if (wasRightBefore) return await refundPasswordAttempt(tx, stored.personId, counted);
      const notifies = personId !== undefined && (await claimNotification(tx, personId, counted));
      await recordWrong(tx, attempt, personId, counted, notifies);
      if (notifies && (await claimLockMail(tx, personId, counted))) await notifyOwner(tx, personId);
    });
    return undefined;
  }
  await context.database.inTransaction(tx => refundPasswordAttempt(tx, stored.personId, counted));
  // If renewing the hash fails, the next login does it.
  return isOutdated ? await renewHash(context, attempt, stored, hashing).catch(() => stored) : stored;
}

/** Whether the attempt comes from a known device of the person. Most guesses have no cookie and need no query here. */
async function isFromKnownDevice(
  context: PeopleContext,
  { kind, who, browser }: PasswordAttempt,
): Promise<boolean> {
  if (!browser) return false;
  const personId = 'email' in who ? await findPerson(context, kind, who.email) : who.personId;
  return await isKnownDevice(context.database.reader, personId, browser);
}

/** Whether this is the customer's current password. Does the same hashing for an unknown person. */
export async function isCurrentPassword(
  context: PeopleContext,
  personId: string | undefined,
  password: string,
  hashing: HashRequest,
): Promise<boolean> {
  const passwordHash = personId === undefined ? undefined : await readHash(context, personId);
  const stored = personId !== undefined && passwordHash ? { personId, passwordHash } : undefined;
  return (await checkPassword(context.secrets, 'customer', stored, password, hashing)).isRight;
}

/** The refusal of a new password that equals the current one. */
export const samePassword = () => invalidField('newPassword', settingsMessages.samePassword);

async function readHash({ database }: PeopleContext, personId: string): Promise<Buffer | undefined> {
  const found = await sql<{ hash: Buffer }>`
    SELECT password_hash AS hash FROM credentials WHERE person_id = ${personId}`.execute(database.reader);
  return found.rows[0]?.hash;
}

/**
 * Whether a password that is wrong now was right when the attempt arrived. Several requests from one double-clicked button must
 * not lock their own login. A password that cannot be compared stays wrong.
 */
async function wasRight(
  { secrets }: PeopleContext,
  attempt: PasswordAttempt,
  { personId, passwordHash }: Recognized,
  former: Buffer | undefined,
  hashing: HashRequest,
): Promise<boolean> {
  if (!former || former.equals(passwordHash)) return false;
  const typed = { personId, passwordHash: former };
  return await checkPassword(secrets, attempt.kind, typed, attempt.password, hashing).then(
    ({ isRight }) => isRight,
    () => false,
  );
}

/** The id of the active customer or administrator with this email, if there is one. */
export async function findPerson(
  context: Pick<PeopleContext, 'database'>,
  kind: PersonKind,
  email: string,
): Promise<string | undefined> {
  const table =
    kind === 'customer'
      ? sql`customers WHERE deleted_at IS NULL AND`
      : sql`admins WHERE disabled_at IS NULL AND`;
  const found = await sql<{ id: string }>`SELECT id FROM ${table} email = ${email}`.execute(
    context.database.reader,
  );
  return found.rows[0]?.id;
}

function countAttempt(
  context: PeopleContext,
  { kind, who, browser }: PasswordAttempt,
  personId: string | undefined,
): Promise<{ counted: CountedAttempt; passwordHash: Buffer | undefined }> {
  return context.database.inTransaction(async tx => {
    const held = personId === undefined ? undefined : await lockCredentials(tx, personId, browser);
    if (held) {
      if ('sessionId' in who && !(await lockSession(tx, who.personId, who.sessionId)))
        throw new Refusal('NOT_AUTHORIZED');
      return { counted: await countPasswordAttempt(tx, held), passwordHash: held.passwordHash };
    }
    // If there are no credentials, an earlier request has erased the person. A second press of the button is not a wrong
    // password.
    if ('sessionId' in who) throw new Refusal('NOT_AUTHORIZED');
    await countUnknownAttempt(tx, toAddressKey(context.secrets.codeKey, `${kind}-login`, who.email));
    return { counted: { isLocked: false, countedFor: unknownDevices }, passwordHash: undefined };
  });
}

async function recordWrong(
  tx: Tx,
  { kind, who, address }: PasswordAttempt,
  personId: string | undefined,
  counted: CountedAttempt,
  notifies: boolean,
): Promise<void> {
  const reason = personId === undefined ? 'unknown' : counted.isLocked ? 'locked' : 'wrong-password';
  if (notifies && personId !== undefined) {
    const actor = { kind, id: personId };
    return await recordAudit(tx, {
      actor,
      action: 'login.locked',
      subject: personId,
      address,
      data: { reason },
    });
  }
  const action = 'email' in who ? 'login.failed' : 'password.wrong';
  await recordFailedAttempt(tx, { kind, personId, action, address, reason });
}

/** Hashes again with the current cost parameters, unless the password was changed in the meantime. */
async function renewHash(
  context: PeopleContext,
  attempt: PasswordAttempt,
  stored: Recognized,
  hashing: HashRequest,
): Promise<Recognized> {
  const { kind, password } = attempt;
  const passwordHash = await hashPassword(context.secrets, kind, stored.personId, password, hashing);
  const isRenewed = await context.database.inTransaction(tx =>
    replacePassword(tx, stored.personId, passwordHash, stored.passwordHash),
  );
  return isRenewed ? { personId: stored.personId, passwordHash } : stored;
}

/** Stores a new hash. If `former` is given and is no longer the stored hash, changes nothing and returns false. */
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
