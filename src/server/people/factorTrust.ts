/**
 * From when on a factor confirms step-ups. One that a thief adds to a stolen session, or after resetting the password with a
 * stolen mailbox, must prove no more than the session or the mailbox does. A login accepts every factor at once.
 */
import { type RawBuilder, sql } from 'kysely';
import { factorTrust as rule } from '#contract/constants.ts';
import type { Tx } from '../db/database.ts';

/** Whether the password was reset by mail, or staff changed the email, in the last hours. */
export const isMailboxDoubtful = (personId: string): RawBuilder<boolean> => sql<boolean>`
  EXISTS (SELECT FROM audit_log WHERE subject = ${personId} AND action IN ('password.reset', 'customer.email-changed')
             AND at > now() - make_interval(hours => ${rule.waitHours}))`;

const afterTheWait = sql<Date>`now() + make_interval(hours => ${rule.waitHours})`;

/**
 * From when on a factor that this session adds now is trusted. A login with a factor that still waits proves no more than that
 * factor does, so while there is one, every new factor waits too.
 */
export const trustedFrom = (personId: string, sessionId: string): RawBuilder<Date> => sql<Date>`
  CASE WHEN EXISTS (SELECT FROM customers c JOIN ledger_accounts a ON a.id = c.account_id
                     WHERE c.id = ${personId} AND a.is_frozen)
       THEN 'infinity'
       WHEN EXISTS (SELECT FROM sessions WHERE id = ${sessionId}
                       AND created_at > now() - make_interval(secs => ${rule.loginSeconds}))
        AND NOT ${isMailboxDoubtful(personId)}
        AND NOT EXISTS (SELECT FROM passkeys WHERE person_id = ${personId} AND trusted_at > now())
        AND NOT EXISTS (SELECT FROM authenticator_apps WHERE person_id = ${personId} AND trusted_at > now())
       THEN now() ELSE ${afterTheWait} END`;

/**
 * Stops the wait of factors when an account is frozen, and starts it over when the freeze is lifted: the owner who freezes the
 * account because of a factor that a thief added needs time to remove it.
 */
export async function restartTrust(tx: Tx, personId: string, isFrozen: boolean): Promise<void> {
  const from = isFrozen ? sql`'infinity'` : afterTheWait;
  for (const table of ['passkeys', 'authenticator_apps'])
    await sql`
      UPDATE ${sql.table(table)} SET trusted_at = ${from} WHERE person_id = ${personId} AND trusted_at > now()`.execute(
      tx,
    );
}
