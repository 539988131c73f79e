/**
 * From when on a factor confirms step-ups. One that a thief adds to a stolen session, or after resetting the password with a
 * stolen mailbox, must prove no more than the session or the mailbox does. A login accepts every factor at once.
 */
import { type RawBuilder, sql } from 'kysely';
import { factorTrust as rule } from '#contract/constants.ts';

/** Whether the password was reset by mail, or staff changed the email, in the last hours. */
export const isMailboxDoubtful = (personId: string): RawBuilder<boolean> => sql<boolean>`
  EXISTS (SELECT FROM audit_log WHERE subject = ${personId} AND action IN ('password.reset', 'customer.email-changed')
             AND at > now() - make_interval(hours => ${rule.waitHours}))`;

/** From when on a factor that this session adds now is trusted. */
export const trustedFrom = (personId: string, sessionId: string): RawBuilder<Date> => sql<Date>`
  CASE WHEN EXISTS (SELECT FROM sessions WHERE id = ${sessionId}
                       AND created_at > now() - make_interval(secs => ${rule.loginSeconds}))
        AND NOT ${isMailboxDoubtful(personId)}
       THEN now() ELSE now() + make_interval(hours => ${rule.waitHours}) END`;
