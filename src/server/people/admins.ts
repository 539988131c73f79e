/** Administrators: created from the command line or by the first start, read at their login. */
import { sql } from 'kysely';
import { recordAudit } from '../db/audit.ts';
import type { Reader } from '../db/database.ts';
import { newId } from '../db/uuid.ts';
import type { PeopleRoom } from './passwordAttempt.ts';
import { hashPassword } from './passwords.ts';

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
