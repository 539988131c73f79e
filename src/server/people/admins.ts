/** Administrators: created, disabled and given new passwords from the command line, read at their login. */
import { sql } from 'kysely';
import { newId } from '../base/uuid.ts';
import { recordAudit } from '../db/audit.ts';
import type { Reader } from '../db/database.ts';
import { clearCounts, holdCredentials } from './lockout.ts';
import { findPerson, type PeopleRoom, replacePassword } from './passwordAttempt.ts';
import { hashPassword } from './passwords.ts';
import { endSessions } from './sessions.ts';

/** Creates an administrator and gives the id; undefined where the e-mail is taken. `email` is in lower case. */
export async function createAdmin(
  room: PeopleRoom,
  { email, name, password }: { email: string; name: string; password: string },
): Promise<string | undefined> {
  const id = newId();
  const passwordHash = await hashPassword(room.secrets, 'admin', id, password);
  return await room.database.inTransaction(async tx => {
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

/** Every administrator there was, oldest first, disabled ones too. */
export async function listAdmins(
  reader: Reader,
): Promise<{ email: string; name: string; createdAt: Date; disabledAt: Date | null }[]> {
  const found = await sql<{ email: string; name: string; createdAt: Date; disabledAt: Date | null }>`
    SELECT email, name, created_at AS "createdAt", disabled_at AS "disabledAt"
      FROM admins ORDER BY created_at, id`.execute(reader);
  return found.rows;
}

/** What became of a wish to disable somebody. Only `disabled` changed anything. */
export type Disabling = 'disabled' | 'unknown' | 'disabled before' | 'last';

/**
 * Disables an administrator for good: every session ends at once, and the record stays. The last one who can run the bank
 * is disabled only where `evenTheLast`.
 */
export async function disableAdmin(
  { database }: Pick<PeopleRoom, 'database'>,
  email: string,
  { evenTheLast }: { evenTheLast: boolean },
): Promise<Disabling> {
  return await database.inTransaction(async tx => {
    // All of them, so that two who disable each other's last colleague wait for one another.
    const all = await sql<{ id: string; email: string; isDisabled: boolean }>`
      SELECT id, email, disabled_at IS NOT NULL AS "isDisabled" FROM admins ORDER BY id FOR UPDATE`.execute(
      tx,
    );
    const meant = all.rows.find(admin => admin.email === email);
    if (!meant) return 'unknown';
    if (meant.isDisabled) return 'disabled before';
    if (!evenTheLast && all.rows.filter(admin => !admin.isDisabled).length === 1) return 'last';
    await sql`UPDATE admins SET disabled_at = now() WHERE id = ${meant.id}`.execute(tx);
    await endSessions(tx, meant.id);
    await recordAudit(tx, { actor: { kind: 'system' }, action: 'admin.disabled', subject: meant.id });
    return 'disabled';
  });
}

/** Gives an administrator another password and ends every session. False where none with this e-mail can log in. */
export async function resetAdminPassword(
  room: PeopleRoom,
  { email, password }: { email: string; password: string },
): Promise<boolean> {
  const id = await findPerson(room, 'admin', email);
  if (id === undefined) return false;
  const passwordHash = await hashPassword(room.secrets, 'admin', id, password);
  return await room.database.inTransaction(async tx => {
    if (!(await holdCredentials(tx, id)) || !(await readAdmin(tx, id))) return false;
    await replacePassword(tx, id, passwordHash);
    await clearCounts(tx, id);
    await endSessions(tx, id);
    await recordAudit(tx, { actor: { kind: 'system' }, action: 'admin.password-reset', subject: id });
    return true;
  });
}

/** Whether anybody can administer this bank yet. */
export async function hasAdmins(reader: Reader): Promise<boolean> {
  const found = await sql`SELECT FROM admins WHERE disabled_at IS NULL LIMIT 1`.execute(reader);
  return found.rows.length > 0;
}

/** One administrator; undefined where there is none. */
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
