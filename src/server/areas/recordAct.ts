/** Audits acts of customers and administrators, in the transaction of the act. */
import { type AuditAction, type AuditData, recordAudit } from '../db/audit.ts';
import type { Tx } from '../db/database.ts';

/** Audits a customer's act on their own account. */
export async function recordOwn(
  tx: Tx,
  { customer: { customerId: id }, address }: { customer: { customerId: string }; address: string },
  action: AuditAction,
  data?: AuditData,
): Promise<void> {
  await recordAudit(tx, { actor: { kind: 'customer', id }, action, subject: id, address, data });
}

/** Audits an administrator's act. `subject`: the customer, colleague or thing that the act is about, if any. */
export async function recordAction(
  tx: Tx,
  { admin: { adminId: id }, address }: { admin: { adminId: string }; address: string },
  action: AuditAction,
  subject: string | undefined,
  data?: AuditData,
): Promise<void> {
  await recordAudit(tx, { actor: { kind: 'admin', id }, action, subject, address, data });
}
