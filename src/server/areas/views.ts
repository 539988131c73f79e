/** Audits what administrators view. */
import { sql } from 'kysely';
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

/** Whether the customer's date of birth, city or name changed after the record with this id. */
export async function identityChangedSince(tx: Tx, customerId: string, recordId: bigint): Promise<boolean> {
  const changes = await sql`
    SELECT FROM audit_log
     WHERE subject = ${customerId} AND action IN ('identity.changed', 'customer.renamed') AND id > ${recordId} LIMIT 1`.execute(
    tx,
  );
  return changes.rows.length > 0;
}
