/** Audits acts of customers and administrators, and announces customers' own acts to them, in the transaction of the act. */
import { sql } from 'kysely';
import { Refusal } from '#contract/errors.ts';
import type { NotificationKind } from '#contract/notifications.ts';
import type { Role } from '#contract/roles.ts';
import { type AuditAction, type AuditData, recordAudit } from '../db/audit.ts';
import type { Tx } from '../db/database.ts';
import { notifyOfOwnAct } from '../db/notifications.ts';
import type { AdminSession } from '../http/session.ts';
import type { AccountMail } from '../jobs/mails/accountMails.ts';
import { enqueueJob } from '../jobs/queue.ts';
import { lockSession } from '../people/sessions.ts';

/** Audits a customer's act on their own account. */
export async function recordCustomerAct(
  tx: Tx,
  { customer: { customerId: id }, address }: { customer: { customerId: string }; address: string },
  action: AuditAction,
  data?: AuditData,
): Promise<void> {
  await recordAudit(tx, { actor: { kind: 'customer', id }, action, subject: id, address, data });
}

/**
 * Notifies and mails a customer about an act in their session, which may be a thief's. `payeeOrScheduleId`: the payee or
 * schedule that the mail names. If the notification names it too, `notificationId` is the same id. This works only once for
 * each payee or schedule, because ids of notifications are unique.
 */
export async function announceOwn(
  tx: Tx,
  { customerId: personId, accountId }: { customerId: string; accountId: bigint },
  event: NotificationKind & AccountMail,
  { payeeOrScheduleId, notificationId }: { payeeOrScheduleId?: string; notificationId?: string } = {},
): Promise<void> {
  await notifyOfOwnAct(tx, accountId, event, notificationId);
  await enqueueJob(tx, 'mail', { template: event, personId, payeeOrScheduleId });
}

/**
 * Makes sure that an administrator may still act: a colleague may have disabled the administrator or changed the role while the
 * request waited. Neither can happen before this transaction ends. Refuses `NOT_AUTHORIZED` if the session has ended, and
 * `FORBIDDEN` if the role is another one now.
 */
export async function lockActor(tx: Tx, { adminId, sessionId, role }: AdminSession): Promise<void> {
  // Locks the administrator before the session, as disabling does (no deadlocks).
  const held = await sql<{ role: Role }>`
    SELECT role FROM admins WHERE id = ${adminId} FOR KEY SHARE`.execute(tx);
  if (!(await lockSession(tx, adminId, sessionId))) throw new Refusal('NOT_AUTHORIZED');
  if (held.rows[0]?.role !== role) throw new Refusal('FORBIDDEN');
}

/**
 * Audits an administrator's act. `subject`: the customer, colleague or thing that the act is about, if any. If `admin` has a
 * session, calls `lockActor`, which can refuse. Acts that can end the session or change the role call `lockActor` first.
 */
export async function recordAdminAct(
  tx: Tx,
  { admin, address }: { admin: AdminSession | { adminId: string }; address: string },
  action: AuditAction,
  subject: string | undefined,
  data?: AuditData,
): Promise<void> {
  if ('sessionId' in admin) await lockActor(tx, admin);
  const id = admin.adminId;
  await recordAudit(tx, { actor: { kind: 'admin', id }, action, subject, address, data });
}
