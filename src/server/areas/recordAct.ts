/** Audits acts of customers and administrators, and announces customers' own acts to them, in the transaction of the act. */
import type { NotificationKind } from '#contract/notifications.ts';
import { type AuditAction, type AuditData, recordAudit } from '../db/audit.ts';
import type { Tx } from '../db/database.ts';
import { notifyOfOwnAct } from '../db/notifications.ts';
import type { AccountMail } from '../jobs/mails/accountMails.ts';
import { enqueueJob } from '../jobs/queue.ts';

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

/** Audits an administrator's act. `subject`: the customer, colleague or thing that the act is about, if any. */
export async function recordAdminAct(
  tx: Tx,
  { admin: { adminId: id }, address }: { admin: { adminId: string }; address: string },
  action: AuditAction,
  subject: string | undefined,
  data?: AuditData,
): Promise<void> {
  await recordAudit(tx, { actor: { kind: 'admin', id }, action, subject, address, data });
}
