/** Administrators: created, disabled and reset from the command line, read at login. */
import { sql } from 'kysely';
import { newId } from '../base/uuid.ts';
import { recordAudit } from '../db/audit.ts';
import type { Reader } from '../db/database.ts';
import { clearDevices } from './knownDevices.ts';
import { lockCredentials } from './lockout.ts';
import { findPerson, type PeopleContext, replacePassword } from './passwordAttempt.ts';
import { hashPassword } from './passwords.ts';
import { endSessions } from './sessions.ts';

/** Creates an administrator and returns the id; undefined if the email is taken. `email` must be lower case. */
export async function createAdmin(
  context: PeopleContext,
  { email, name, password }: { email: string; name: string; password: string },
): Promise<string | undefined> {
  const id = newId();
  const passwordHash = await hashPassword(context.secrets, 'admin', id, password);
  return await context.database.inTransaction(async tx => {
    const inserted = await sql`
      INSERT INTO admins (id, email, name) VALUES (${id}, ${email}, ${name})
      ON CONFLICT (email) DO NOTHING`.execute(tx);
    if (inserted.numAffectedRows !== 1n) return undefined;
    await sql`
      INSERT INTO credentials (person_id, kind, password_hash) VALUES (${id}, 'admin', ${passwordHash})`.execute(
      tx,
    );
    await recordAudit(tx, { actor: { kind: 'system' }, action: 'admin.created', subject: id });
    return id;
  });
}

/** All administrators, oldest first, including disabled ones. */
export async function listAdmins(
  reader: Reader,
): Promise<{ email: string; name: string; createdAt: Date; disabledAt: Date | null }[]> {
  const found = await sql<{ email: string; name: string; createdAt: Date; disabledAt: Date | null }>`
    SELECT email, name, created_at AS "createdAt", disabled_at AS "disabledAt"
      FROM admins ORDER BY created_at, id`.execute(reader);
  return found.rows;
}

/** The result of `disableAdmin`. Only `disabled` changed anything. */
export type DisableResult = 'disabled' | 'unknown' | 'already disabled' | 'last';

/**
 * Disables an administrator for good and ends their sessions; the row stays. The last active administrator is only disabled
 * with `evenTheLast`.
 */
export async function disableAdmin(
  { database }: Pick<PeopleContext, 'database'>,
  email: string,
  { evenTheLast }: { evenTheLast: boolean },
): Promise<DisableResult> {
  return await database.inTransaction(async tx => {
    // Lock all rows: two concurrent calls could otherwise each disable the other's last remaining colleague.
    const all = await sql<{ id: string; email: string; isDisabled: boolean }>`
      SELECT id, email, disabled_at IS NOT NULL AS "isDisabled" FROM admins ORDER BY id FOR UPDATE`.execute(
      tx,
    );
    const target = all.rows.find(admin => admin.email === email);
    if (!target) return 'unknown';
    if (target.isDisabled) return 'already disabled';
    if (!evenTheLast && all.rows.filter(admin => !admin.isDisabled).length === 1) return 'last';
    await sql`UPDATE admins SET disabled_at = now() WHERE id = ${target.id}`.execute(tx);
    await endSessions(tx, target.id);
    await recordAudit(tx, { actor: { kind: 'system' }, action: 'admin.disabled', subject: target.id });
    return 'disabled';
  });
}

/** Sets an administrator's password and ends every session. Returns false if no active administrator has this email. */
export async function resetAdminPassword(
  context: PeopleContext,
  { email, password }: { email: string; password: string },
): Promise<boolean> {
  const id = await findPerson(context, 'admin', email);
  if (id === undefined) return false;
  const passwordHash = await hashPassword(context.secrets, 'admin', id, password);
  return await context.database.inTransaction(async tx => {
    if (!(await lockCredentials(tx, id, undefined)) || !(await readAdmin(tx, id))) return false;
    await replacePassword(tx, id, passwordHash);
    await clearDevices(tx, id, undefined);
    await endSessions(tx, id);
    await recordAudit(tx, { actor: { kind: 'system' }, action: 'admin.password-reset', subject: id });
    return true;
  });
}

/** Whether there is an active administrator. */
export async function hasAdmins(reader: Reader): Promise<boolean> {
  const found = await sql`SELECT FROM admins WHERE disabled_at IS NULL LIMIT 1`.execute(reader);
  return found.rows.length > 0;
}

/** An active administrator; undefined if there is none. */
export async function readAdmin(
  reader: Reader,
  adminId: string,
): Promise<{ _id: string; email: string; name: string } | undefined> {
  const found = await sql<{ _id: string; email: string; name: string }>`
    SELECT id AS "_id", email, name FROM admins WHERE id = ${adminId} AND disabled_at IS NULL`.execute(
    reader,
  );
  return found.rows[0];
}
