/** Audits what administrators view. */
import { findLastRecord } from '../db/audit.ts';
import type { Tx } from '../db/database.ts';
import type { AdminSession } from '../http/session.ts';
import { recordAction } from './recordAct.ts';

/** A repeated request within this time is the same view and is not audited again. */
const repeatedViewMs = 5 * 60_000;

/** Audits that an administrator viewed a customer's record or application, or a transaction. */
export async function recordView(
  tx: Tx,
  acting: { admin: AdminSession; address: string },
  subject: string,
  action: 'customer.viewed' | 'application.viewed' | 'transaction.viewed' = 'customer.viewed',
): Promise<void> {
  const last = await findLastRecord(tx, { actorId: acting.admin.adminId, action, subject });
  if (!last || last.ageMs > repeatedViewMs || (await identityChangedSince(tx, subject, last.id)))
    await recordAction(tx, acting, action, subject);
}

/** Whether the customer changed date of birth or city after the record with this id. */
export async function identityChangedSince(tx: Tx, customerId: string, recordId: bigint): Promise<boolean> {
  const change = { actorId: customerId, action: 'identity.changed', subject: customerId } as const;
  const last = await findLastRecord(tx, change);
  return last !== undefined && last.id > recordId;
}
