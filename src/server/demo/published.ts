/** Finds the demo people whose published login works in a database. */
import { sql } from 'kysely';
import { DecryptionFailed } from '../base/encryption.ts';
import { SettingsError } from '../config.ts';
import type { PersonKind } from '../db/personKind.ts';
import type { Parts } from '../parts.ts';
import { checkPassword } from '../people/passwords.ts';
import { demoAdmin, demoCustomers, demoPassword } from './people.ts';

/** Throws `SettingsError` if demo logins work in a production bank that does not run with DEMO=1. */
export async function refusePublishedLogins(
  parts: Pick<Parts, 'config' | 'database' | 'secrets'>,
): Promise<void> {
  if (!parts.config.production || parts.config.demo) return;
  const open = await findPublishedLogins(parts);
  if (open.length === 0) return;
  throw new SettingsError(
    `The database of DATABASE_URL contains demo people, who log in with published passwords: ${open.join(', ')}. ` +
      'Name another database, or set DEMO=1 to run the demo bank.',
  );
}

/**
 * The emails of demo people who can log in with their published password. Not included: people whose password was changed, or
 * whose hash is encrypted with another key. Throws if a password cannot be checked.
 */
export async function findPublishedLogins({
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
    const { isRight } = await checkPassword(secrets, kind, stored, published).catch((error: unknown) => {
      if (error instanceof DecryptionFailed) return { isRight: false };
      throw error;
    });
    if (isRight) open.push(email);
  }
  return open;
}
