/**
 * When a new factor begins to confirm step-ups. A thief may add a factor in a stolen session, or after a password reset with a
 * stolen mailbox. That factor must prove no more than the session or the mailbox does. For logins, a factor works immediately.
 */
import { type RawBuilder, sql } from 'kysely';
import { factorTrust as rule } from '#contract/constants.ts';
import type { Tx } from '../db/database.ts';

const doubts = (personId: string, hours: number = rule.waitHours) => sql`
  audit_log WHERE subject = ${personId} AND action IN ('password.reset', 'customer.email-changed')
               AND at > now() - make_interval(hours => ${hours})`;

/** Whether, in the last `rule.waitHours`, the password was reset by mail, or staff changed the email. */
export const isMailboxDoubtful = (personId: string): RawBuilder<boolean> => sql<boolean>`
  EXISTS (SELECT FROM ${doubts(personId)})`;

/** When the mailbox is no longer doubtful; null if it is not doubtful now. */
export const mailboxTrustedFrom = (personId: string): RawBuilder<Date | null> => sql<Date | null>`
  (SELECT max(at) + make_interval(hours => ${rule.waitHours}) FROM ${doubts(personId)})`;

const inHours = (hours: number) => sql<Date>`now() + make_interval(hours => ${hours})`;

/**
 * When a wait that begins now ends. While the mailbox is doubtful, the owner cannot confirm the removal of a factor by email,
 * so the wait lasts longer than the doubt. `hours`: the age up to which a reset or a new email counts.
 */
const afterWait = (personId: string, hours?: number) => sql<Date>`
  CASE WHEN EXISTS (SELECT FROM ${doubts(personId, hours)})
       THEN ${inHours(2 * rule.waitHours)} ELSE ${inHours(rule.waitHours)} END`;

/** A subquery for FROM: a row for each factor that does not confirm step-ups yet. `trusted_at`: when the factor will. */
export const waitingFactors = (personId: string) => sql`
  (SELECT trusted_at FROM passkeys WHERE person_id = ${personId} AND trusted_at > now()
    UNION ALL SELECT trusted_at FROM authenticator_apps WHERE person_id = ${personId} AND trusted_at > now()) waiting`;

/**
 * For a SELECT from a table of factors: when a customer's factor will be trusted. Null if it is trusted now, if the account is
 * frozen, or if staff will remove the factor before that. Null for staff, who have no step-ups.
 */
export const confirmsFrom = (personId: string): RawBuilder<Date | null> => sql<Date | null>`
  CASE WHEN trusted_at > now() AND trusted_at < 'infinity'
        AND EXISTS (SELECT FROM customers WHERE id = ${personId})
        AND NOT EXISTS (SELECT FROM factor_resets WHERE person_id = ${personId} AND effective_at < trusted_at)
       THEN trusted_at END`;

/**
 * When a factor that this session adds now will be trusted: at once if the login was recent, otherwise after a wait. While the
 * account is frozen or the mailbox is doubtful, never at once. The session may have begun with a factor that is not trusted
 * yet, so a new factor waits at least as long as every factor that is still waiting.
 */
export const trustedFrom = (personId: string, sessionId: string): RawBuilder<Date> => {
  const waiting = sql`(SELECT max(trusted_at) FROM ${waitingFactors(personId)})`;
  return sql<Date>`
    CASE WHEN EXISTS (SELECT FROM customers c JOIN ledger_accounts a ON a.id = c.account_id
                       WHERE c.id = ${personId} AND a.is_frozen)
         THEN 'infinity'
         WHEN EXISTS (SELECT FROM sessions WHERE id = ${sessionId}
                         AND created_at > now() - make_interval(secs => ${rule.loginSeconds}))
          AND NOT ${isMailboxDoubtful(personId)} AND ${waiting} IS NULL
         THEN now() ELSE greatest(${afterWait(personId)}, ${waiting}) END`;
};

/**
 * Prolongs the wait of factors that a thief may have added, so that the owner has time to remove them. While the account is
 * frozen, the factors stay untrusted. After the freeze, the wait starts over. Factors that staff will remove stay untrusted
 * until then. Lock the login first (`lockCredentials`): otherwise, a factor that is being added keeps its own wait.
 */
export async function prolongWait(
  tx: Tx,
  personId: string,
  cause: 'frozen' | 'unfrozen' | 'mailbox-doubtful' | { removedAt: Date },
): Promise<void> {
  const until = {
    frozen: sql`'infinity'`,
    // A factor that was added while the mailbox was doubtful waits twice as long. A freeze overwrites the end of that wait, so
    // its latest end is assumed.
    unfrozen: sql`greatest(${afterWait(personId, 2 * rule.waitHours)},
                           (SELECT effective_at + interval '1 hour' FROM factor_resets WHERE person_id = ${personId}))`,
    'mailbox-doubtful': sql`greatest(trusted_at, ${inHours(2 * rule.waitHours)})`,
  };
  const trustedAt =
    typeof cause === 'string'
      ? until[cause]
      : sql`greatest(trusted_at, ${cause.removedAt}::timestamptz + interval '1 hour')`;
  for (const table of ['passkeys', 'authenticator_apps'])
    await sql`
      UPDATE ${sql.table(table)} SET trusted_at = ${trustedAt} WHERE person_id = ${personId} AND trusted_at > now()`.execute(
      tx,
    );
}
