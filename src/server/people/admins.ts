/** Administrators and their roles: created, changed, disabled, and read at login. */
import { sql } from 'kysely';
import type * as z from 'zod/mini';
import { Refusal } from '#contract/errors.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import type { Role } from '#contract/roles.ts';
import type { StaffMember } from '#contract/staff.ts';
import { newId } from '../base/uuid.ts';
import { recordAudit } from '../db/audit.ts';
import type { Reader, Tx } from '../db/database.ts';
import { voidCodes } from './codes.ts';
import { clearDevices } from './knownDevices.ts';
import { lockCredentials } from './lockout.ts';
import { findPerson, type PeopleContext, replacePassword } from './passwordAttempt.ts';
import { hashPassword } from './passwords.ts';
import { removeAllFactors } from './secondFactors.ts';
import { endSessions } from './sessions.ts';
import { voidLink } from './staffLinks.ts';

/**
 * Creates an administrator and returns id and role; undefined if the email is taken. `email` must be lower case. Without
 * `role`, the administrator becomes an owner if there is no active owner, and an operator otherwise.
 */
export async function createAdmin(
  context: PeopleContext,
  { email, name, password, role }: { email: string; name: string; password: string; role?: Role },
): Promise<{ id: string; role: Role } | undefined> {
  const id = newId();
  const passwordHash = await hashPassword(context.secrets, 'admin', id, password);
  return await context.database.inTransaction(async tx => {
    const owners = await listOwners(tx);
    const given = role ?? (owners.length === 0 ? 'owner' : 'operator');
    const inserted = await sql`
      INSERT INTO admins (id, email, name, role) VALUES (${id}, ${email}, ${name}, ${given})
      ON CONFLICT (email) DO NOTHING`.execute(tx);
    if (inserted.numAffectedRows !== 1n) return undefined;
    await sql`
      INSERT INTO credentials (person_id, kind, password_hash) VALUES (${id}, 'admin', ${passwordHash})`.execute(
      tx,
    );
    await recordAudit(tx, {
      actor: { kind: 'system' },
      action: 'admin.created',
      subject: id,
      data: { role: given },
    });
    return { id, role: given };
  });
}

/** The ids of the active owners. Takes a lock, so that other changes of the staff wait until the transaction ends. */
async function listOwners(tx: Tx): Promise<string[]> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('larkspur staff'))`.execute(tx);
  const found = await sql<{ id: string }>`
    SELECT id FROM admins WHERE role = 'owner' AND disabled_at IS NULL`.execute(tx);
  return found.rows.map(row => row.id);
}

/** All administrators, oldest first, including disabled ones. */
export async function listAdmins(
  reader: Reader,
): Promise<{ email: string; name: string; role: Role; createdAt: Date; disabledAt: Date | null }[]> {
  const found = await sql<{
    email: string;
    name: string;
    role: Role;
    createdAt: Date;
    disabledAt: Date | null;
  }>`
    SELECT email, name, role, created_at AS "createdAt", disabled_at AS "disabledAt"
      FROM admins ORDER BY created_at, id`.execute(reader);
  return found.rows;
}

/** The id of the administrator with this email, even if disabled; undefined if there is none. */
async function findAdmin(tx: Tx, email: string): Promise<string | undefined> {
  const found = await sql<{ id: string }>`SELECT id FROM admins WHERE email = ${email}`.execute(tx);
  return found.rows[0]?.id;
}

/** Unless the result is `disabled`, nothing was changed. `last`: the administrator is the last active owner. */
export type DisableResult = 'disabled' | 'unknown' | 'already disabled' | 'last';

/**
 * Disables an administrator like `setMemberDisabled`; the row stays. The last active owner is disabled only with `evenTheLast`.
 * `notify` mails the administrator in the same transaction.
 */
export async function disableAdmin(
  { database }: Pick<PeopleContext, 'database'>,
  email: string,
  { evenTheLast }: { evenTheLast: boolean },
  notify?: (tx: Tx, member: LockedMember) => Promise<void>,
): Promise<DisableResult> {
  return await database.inTransaction(async tx => {
    const adminId = await findAdmin(tx, email);
    if (adminId === undefined) return 'unknown';
    const member = await lockMember(tx, adminId);
    const { id, isDisabled, isLastOwner } = member;
    if (isDisabled) return 'already disabled';
    if (!evenTheLast && isLastOwner) return 'last';
    await setMemberDisabled(tx, id, true);
    await recordAudit(tx, { actor: { kind: 'system' }, action: 'admin.disabled', subject: id });
    await notify?.(tx, member);
    return 'disabled';
  });
}

/**
 * Sets an administrator's password, ends their sessions, voids their tickets and link, and deletes their known devices and the
 * counts of wrong passwords. Returns false if no active administrator has this email. `notify` mails the administrator in the
 * same transaction, after the sessions were ended.
 */
export async function resetAdminPassword(
  context: PeopleContext,
  { email, password }: { email: string; password: string },
  notify?: (tx: Tx, personId: string) => Promise<void>,
): Promise<boolean> {
  const id = await findPerson(context, 'admin', email);
  if (id === undefined) return false;
  const passwordHash = await hashPassword(context.secrets, 'admin', id, password);
  return await context.database.inTransaction(async tx => {
    if (!(await lockCredentials(tx, id, undefined)) || !(await readAdmin(tx, id))) return false;
    await replacePassword(tx, id, passwordHash);
    await voidCodes(tx, id);
    await voidLink(tx, id);
    await clearDevices(tx, id, undefined);
    await endSessions(tx, id);
    await recordAudit(tx, { actor: { kind: 'system' }, action: 'admin.password-reset', subject: id });
    await notify?.(tx, id);
    return true;
  });
}

/**
 * Removes an administrator's second factors, even if the administrator is disabled, and ends their sessions. Returns false if
 * no administrator with a password has this email. `notify` is called in the same transaction.
 */
export async function resetAdminFactors(
  context: Pick<PeopleContext, 'database'>,
  email: string,
  notify: (tx: Tx, personId: string) => Promise<void>,
): Promise<boolean> {
  return await context.database.inTransaction(async tx => {
    const id = await findAdmin(tx, email);
    if (id === undefined || !(await lockCredentials(tx, id, undefined))) return false;
    await removeAllFactors(tx, id);
    await endSessions(tx, id);
    await recordAudit(tx, { actor: { kind: 'system' }, action: 'factors.reset', subject: id });
    await notify(tx, id);
    return true;
  });
}

/** Whether there is an active administrator. */
export async function hasAdmins(reader: Reader): Promise<boolean> {
  const found = await sql`SELECT FROM admins WHERE disabled_at IS NULL LIMIT 1`.execute(reader);
  return found.rows.length > 0;
}

/** The active administrator with this id; undefined if there is none. */
export async function readAdmin(
  reader: Reader,
  adminId: string,
): Promise<{ _id: string; email: string; name: string; role: Role } | undefined> {
  const found = await sql<{ _id: string; email: string; name: string; role: Role }>`
    SELECT id AS "_id", email, name, role FROM admins WHERE id = ${adminId} AND disabled_at IS NULL`.execute(
    reader,
  );
  return found.rows[0];
}

export type DecodedMember = z.output<typeof StaffMember>;

/** One administrator, even if disabled. Refuses `NOT_FOUND` if there is none with this id. */
export async function readMember(reader: Reader, id: string): Promise<DecodedMember> {
  const [member] = await listStaff(reader, id);
  if (!member) throw new Refusal('NOT_FOUND', { message: staffMessages.noSuchMember });
  return member;
}

/** All administrators, oldest first, including disabled ones; or only the one with this id. */
export async function listStaff(reader: Reader, id?: string): Promise<DecodedMember[]> {
  type Row = Omit<DecodedMember, 'disabledAt' | 'lastSeenAt' | 'linkExpiresAt'> & {
    disabled_at: Date | null;
    last_seen_at: Date | null;
    link_expires_at: Date | null;
  };
  const found = await sql<Row>`
    SELECT a.id AS "_id", a.email, a.name, a.role, a.created_at AS "createdAt", a.disabled_at,
           CASE WHEN a.disabled_at IS NOT NULL THEN 'disabled'
                WHEN EXISTS (SELECT FROM credentials c WHERE c.person_id = a.id) THEN 'active'
                ELSE 'invited' END AS state,
           (SELECT max(s.last_seen_at) FROM sessions s WHERE s.person_id = a.id) AS last_seen_at,
           (SELECT count(*)::integer FROM live_sessions s WHERE s.person_id = a.id) AS sessions,
           (SELECT l.expires_at FROM admin_links l WHERE l.admin_id = a.id AND l.expires_at > now()) AS link_expires_at
      FROM admins a WHERE a.id = coalesce(${id ?? null}::uuid, a.id) ORDER BY a.created_at, a.id`.execute(
    reader,
  );
  return found.rows.map(({ disabled_at, last_seen_at, link_expires_at, ...member }) => ({
    ...member,
    ...(disabled_at && { disabledAt: disabled_at }),
    ...(last_seen_at && { lastSeenAt: last_seen_at }),
    ...(link_expires_at && { linkExpiresAt: link_expires_at }),
  }));
}

/** An administrator who is locked for a change. `isLastOwner`: whether this is the last active owner. */
export type LockedMember = {
  id: string;
  email: string;
  name: string;
  role: Role;
  isDisabled: boolean;
  isLastOwner: boolean;
};

/**
 * Locks an administrator and the credentials until the transaction ends. Refuses `NOT_FOUND` if there is none with this id. A
 * login that is about to open a session finishes first, so that the caller ends its session, too.
 */
export async function lockMember(tx: Tx, id: string): Promise<LockedMember> {
  await lockCredentials(tx, id, undefined);
  const owners = await listOwners(tx);
  const found = await sql<Omit<LockedMember, 'isLastOwner'>>`
    SELECT id, email, name, role, disabled_at IS NOT NULL AS "isDisabled" FROM admins WHERE id = ${id} FOR UPDATE`.execute(
    tx,
  );
  const [member] = found.rows;
  if (!member) throw new Refusal('NOT_FOUND', { message: staffMessages.noSuchMember });
  return { ...member, isLastOwner: owners.length === 1 && owners[0] === id };
}

/** Stores an administrator who has no password yet. Refuses `CONFLICT` if the email is taken. */
export async function insertMember(
  tx: Tx,
  { email, name, role }: { email: string; name: string; role: Role },
): Promise<string> {
  const id = newId();
  const inserted = await sql`
    INSERT INTO admins (id, email, name, role) VALUES (${id}, ${email}, ${name}, ${role})
    ON CONFLICT (email) DO NOTHING`.execute(tx);
  if (inserted.numAffectedRows !== 1n) throw new Refusal('CONFLICT', { message: staffMessages.emailTaken });
  return id;
}

/** Refuses `CONFLICT` for the role of a disabled administrator, and if there would be no active owner left. */
export function checkRoleChange({ isDisabled, isLastOwner }: LockedMember, role: Role): void {
  if (isDisabled) throw new Refusal('CONFLICT', { message: staffMessages.memberDisabled });
  if (isLastOwner && role !== 'owner') throw new Refusal('CONFLICT', { message: staffMessages.lastOwner });
}

/** Changes the role and returns the former one. Refuses like `checkRoleChange` and `lockMember`. */
export async function setRole(tx: Tx, id: string, role: Role): Promise<Role> {
  const member = await lockMember(tx, id);
  checkRoleChange(member, role);
  await sql`UPDATE admins SET role = ${role} WHERE id = ${id}`.execute(tx);
  return member.role;
}

/** Disables or enables a locked administrator. Disabling ends their sessions and a login in progress, and voids their link. */
export async function setMemberDisabled(tx: Tx, id: string, isDisabled: boolean): Promise<void> {
  await sql`
    UPDATE admins SET disabled_at = CASE WHEN ${isDisabled} THEN now() END WHERE id = ${id}`.execute(tx);
  if (!isDisabled) return;
  await voidCodes(tx, id);
  await voidLink(tx, id);
  await endSessions(tx, id);
}

/**
 * Stores an administrator's first or new password. Like `resetAdminPassword`, ends their sessions, voids their tickets and
 * forgets their known devices.
 */
export async function storeAdminPassword(tx: Tx, id: string, passwordHash: Buffer): Promise<void> {
  await sql`
    INSERT INTO credentials (person_id, kind, password_hash) VALUES (${id}, 'admin', ${passwordHash})
        ON CONFLICT (person_id) DO UPDATE SET password_hash = excluded.password_hash`.execute(tx);
  await voidCodes(tx, id);
  await clearDevices(tx, id, undefined);
  await endSessions(tx, id);
}
