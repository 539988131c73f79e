/** Protects a customer's second factors when someone else may be using the account or the mailbox. */
import { type AuditRecord, recordAudit } from '../db/audit.ts';
import type { Tx } from '../db/database.ts';
import { notify } from '../db/notifications.ts';
import { enqueueJob } from '../jobs/queue.ts';
import { cancelReset, postponeResets } from '../people/factorResets.ts';
import { prolongWait } from '../people/factorTrust.ts';
import { voidStepUps } from '../people/stepUp.ts';

type Actor = Pick<AuditRecord, 'actor' | 'address'>;

/**
 * Called when the account was frozen, the password was reset by mail, or staff changed the email. Voids step-ups, and prolongs
 * the wait of factors that a thief may have added. A thief may also have requested a pending removal of the factors: a freeze
 * by link or by staff cancels the removal, and a doubtful mailbox postpones it. A freeze in a session does not cancel it,
 * because the session can be a thief's (`cancelResetByLogin`). The caller has locked the login (`lockCredentials`).
 */
export async function protectFactors(
  tx: Tx,
  personId: string,
  cause: 'frozen' | 'frozen-in-session' | 'mailbox-doubtful',
  by: Actor,
): Promise<void> {
  await voidStepUps(tx, personId);
  if (cause === 'mailbox-doubtful') {
    // A postponed removal also makes the factors wait until after it. By then, the mailbox is no longer doubtful.
    if (!(await postponeRemovals(tx, { personId }, by))) await prolongWait(tx, personId, cause);
    return;
  }
  if (cause === 'frozen' && (await cancelReset(tx, personId))) await announceCanceledReset(tx, personId, by);
  await prolongWait(tx, personId, 'frozen');
}

/** Postpones a person's pending removal of factors, or everyone's. Audits and mails it. Returns false if none is pending. */
export async function postponeRemovals(
  tx: Tx,
  of: { personId: string } | 'everyone',
  by: Actor,
): Promise<boolean> {
  const postponed = await postponeResets(tx, of);
  for (const { personId, accountId, resetId, effectiveAt: runAt } of postponed) {
    await enqueueJob(tx, 'reset-factors', { personId, resetId }, { runAt });
    await recordAudit(tx, { ...by, action: 'factors.reset-postponed', subject: personId });
    // A thief who reads the customer's mail can delete the mail, but not the notification.
    await notify(tx, accountId, 'factor-reset-requested');
    await enqueueJob(tx, 'mail', { template: 'factor-reset-postponed', personId });
  }
  return postponed.length > 0;
}

/** Audits and mails that the removal of a person's factors was canceled. */
export async function announceCanceledReset(tx: Tx, personId: string, by: Actor): Promise<void> {
  await recordAudit(tx, { ...by, action: 'factors.reset-canceled', subject: personId });
  await enqueueJob(tx, 'mail', { template: 'factor-reset-canceled', personId });
}
