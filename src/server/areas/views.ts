/** Audits what administrators view. */
import { sql } from 'kysely';
import { type AuditAction, findLastRecord } from '../db/audit.ts';
import type { Reader, Tx } from '../db/database.ts';
import type { AdminSession } from '../http/session.ts';
import { recordAdminAct } from './recordAct.ts';

/**
 * A repeated request within this time is the same view and is not audited again. After a change of the customer's identity,
 * and for an application after one of `applicationChanges`, it is a new view.
 */
const repeatedViewMs = 5 * 60_000;

/** Audits that an administrator viewed a customer's record or application, a transaction or a contact message. */
export async function recordView(
  tx: Tx,
  acting: { admin: AdminSession; address: string },
  subject: string,
  action:
    | 'customer.viewed'
    | 'application.viewed'
    | 'transaction.viewed'
    | 'message.viewed' = 'customer.viewed',
): Promise<void> {
  // The age is negative if the database's clock was ahead when the record was written.
  const last = await findLastRecord(tx, { actorId: acting.admin.adminId, action, subject });
  const changes = action === 'application.viewed' ? applicationChanges : identityChanges;
  if (
    !last ||
    Math.abs(last.ageMs) > repeatedViewMs ||
    (await hasChangedSince(tx, subject, last.id, changes))
  )
    await recordAdminAct(tx, acting, action, subject);
}

/** Of these customers, those whose application has not changed since this administrator last viewed it. */
export async function listViewed(
  reader: Reader,
  adminId: string,
  customerIds: readonly string[],
): Promise<Set<string>> {
  const found = await sql<{ id: string }>`
    SELECT v.subject AS id
      FROM (SELECT subject, max(id) AS id FROM audit_log
             WHERE subject = ANY (${customerIds}::text[]) AND action = 'application.viewed' AND actor_id = ${adminId}
             GROUP BY subject) v
     WHERE NOT EXISTS (
       SELECT FROM audit_log l
        WHERE l.subject = v.subject AND l.action = ANY (${applicationChanges}::text[]) AND l.id > v.id)`.execute(
    reader,
  );
  return new Set(found.rows.map(row => row.id));
}

/** The actions that change an application. */
const applicationChanges = [
  'identity.changed',
  'contact.changed',
  'customer.renamed',
  'customer.email-changed',
  'id-card.received',
  'avatar.changed',
  'screening.found',
  // May be a stranger's: `isProvenByReset`.
  'password.reset',
] satisfies AuditAction[];

/** The actions that change date of birth, city or name. */
export const identityChanges = ['identity.changed', 'customer.renamed'] satisfies AuditAction[];

/** Whether one of the `changes` was made to the customer after the record with this id. */
export async function hasChangedSince(
  tx: Tx,
  customerId: string,
  recordId: bigint,
  changes: readonly AuditAction[],
): Promise<boolean> {
  const found = await sql`
    SELECT FROM audit_log
     WHERE subject = ${customerId} AND action = ANY (${changes}::text[]) AND id > ${recordId} LIMIT 1`.execute(
    tx,
  );
  return found.rows.length > 0;
}
