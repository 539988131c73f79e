/** Audits what administrators view. */
import { findLastRecord, recordAudit } from '../db/audit.ts';
import type { Tx } from '../db/database.ts';
import type { AdminSession } from '../http/session.ts';

/** A repeated request within this time is the same view and is not audited again. */
const repeatedViewMs = 5 * 60_000;

/** Audits that an administrator viewed a customer's record or application, a transaction or a contact message. */
export async function recordView(
  tx: Tx,
  { admin: { adminId }, address }: { admin: AdminSession; address: string },
  subject: string,
  action:
    | 'customer.viewed'
    | 'application.viewed'
    | 'transaction.viewed'
    | 'message.viewed' = 'customer.viewed',
): Promise<void> {
  const last = await findLastRecord(tx, { actorId: adminId, action, subject });
  if (!last || last.ageMs > repeatedViewMs || (await identityChangedSince(tx, subject, last.id)))
    await recordAudit(tx, { actor: { kind: 'admin', id: adminId }, action, subject, address });
}

/** Whether the customer changed date of birth or city after the record with this id. */
export async function identityChangedSince(tx: Tx, customerId: string, recordId: bigint): Promise<boolean> {
  const change = { actorId: customerId, action: 'identity.changed', subject: customerId } as const;
  const last = await findLastRecord(tx, change);
  return last !== undefined && last.id > recordId;
}
