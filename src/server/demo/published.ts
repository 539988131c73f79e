/** Logins that anybody can read: the demonstration's people, and which of them stand open in a database. */
import { sql } from 'kysely';
import type { PersonKind } from '../db/personKind.ts';
import type { Parts } from '../parts.ts';
import { checkPassword } from '../people/passwords.ts';
import { demoAdmin, demoCustomers, demoPassword } from './people.ts';

/**
 * The e-mails of those who are there and can log in with the password that the demonstration publishes. Whoever has another
 * password by now, or one made with other keys than these, is not among them.
 */
export async function findPublished({
  database,
  secrets,
}: Pick<Parts, 'database' | 'secrets'>): Promise<string[]> {
  const emails = demoCustomers.map(({ email }) => email);
  const { rows } = await sql<{ personId: string; kind: PersonKind; email: string; passwordHash: Buffer }>`
    SELECT p.id AS "personId", c.kind, p.email, c.password_hash AS "passwordHash"
      FROM (SELECT id, email FROM customers WHERE email = ANY (${emails}) AND deleted_at IS NULL
             UNION ALL
            SELECT id, email FROM admins WHERE email = ${demoAdmin.email} AND disabled_at IS NULL) p
      JOIN credentials c ON c.person_id = p.id ORDER BY p.email`.execute(database.reader);
  const open: string[] = [];
  for (const { kind, email, ...stored } of rows) {
    const published = kind === 'admin' ? demoAdmin.password : demoPassword;
    const check = checkPassword(secrets, kind, stored, published).catch(() => ({ isRight: false }));
    if ((await check).isRight) open.push(email);
  }
  return open;
}
