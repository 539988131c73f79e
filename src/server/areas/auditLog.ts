/**
 * The audit log for administrators: newest first, filtered by actor, action, person and date. Names are looked up on reading,
 * so the name of an erased person does not appear. Recorded data is summarized, never shown in full.
 */
import { type RawBuilder, sql } from 'kysely';
import { actorKinds } from '#contract/entities.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import type { AuditAction, AuditData } from '../db/audit.ts';
import type { Reader } from '../db/database.ts';
import { startOfDay } from '../ledger/filter.ts';
import { describeDetails } from './auditDetails.ts';

/** `before`: the id of a record; only older ones are returned. Dates are inclusive, in the bank's time zone. */
export type AuditFilter = {
  limit: number;
  before?: string | undefined;
  actorKind?: (typeof actorKinds)[number] | undefined;
  action?: string | undefined;
  person?: string | undefined;
  startDate?: string | undefined;
  endDate?: string | undefined;
};

type Row = {
  id: bigint;
  at: Date;
  actor_kind: (typeof actorKinds)[number];
  actor_id: string | null;
  action: AuditAction;
  subject: string | null;
  address: string | null;
  data: AuditData | null;
  is_sealed: boolean;
};

/** All audit actions. */
const actions = Object.keys(adminMessages.auditActions);

/** A page of the log. An unknown action or person matches nothing. */
export async function readAuditLog(reader: Reader, filter: AuditFilter) {
  const { limit } = filter;
  const found = await sql<Row>`
    SELECT l.id, l.at, l.actor_kind, l.actor_id, l.action, l.subject, l.address, l.data,
           EXISTS (SELECT FROM audit_seals s WHERE s.audit_id = l.id) AS is_sealed
      FROM (SELECT DISTINCT at, id FROM (${matching(filter)}) m ORDER BY at DESC, id DESC LIMIT ${limit + 1}) wanted
      JOIN audit_log l ON l.id = wanted.id
     ORDER BY wanted.at DESC, wanted.id DESC`.execute(reader);
  const rows = found.rows.slice(0, limit);
  const names = await readNames(
    reader,
    rows.flatMap(row => [row.actor_id, row.subject]),
  );
  const records = rows.map(row => ({
    _id: String(row.id),
    at: row.at,
    actorKind: row.actor_kind,
    actorId: row.actor_id ?? '',
    actorName: nameOfActor(row, names),
    action: row.action,
    subject: row.subject ?? '',
    subjectName: (row.subject !== null && names.get(row.subject)) || '',
    address: row.address ?? '',
    details: describeDetails(row.data ?? {}),
    isSealed: row.is_sealed,
  }));
  return { records, actions: [...actions], hasMore: found.rows.length > limit };
}

/**
 * A query for the time and id of the newest matching records. Each action is one index scan that stops after a page, so the
 * cost does not depend on the length of the log or the filter.
 */
function matching(filter: AuditFilter): RawBuilder<unknown> {
  const acts = sql`unnest(${filter.action ? [filter.action] : actions}::text[]) AS act(action)`;
  const kinds = filter.actorKind ? [filter.actorKind] : [...actorKinds];
  const newest = (condition: RawBuilder<unknown>) => sql`
    SELECT l.at, l.id FROM audit_log l WHERE ${condition} AND l.action = act.action AND ${within(filter)}
     ORDER BY l.at DESC, l.id DESC LIMIT ${filter.limit + 1}`;
  const { person } = filter;
  if (!person) {
    return sql`SELECT n.* FROM ${acts}, unnest(${kinds}::text[]) AS kind(kind),
      LATERAL (${newest(sql`l.actor_kind = kind.kind`)}) n`;
  }
  const ofKind = sql`l.actor_kind = ANY (${kinds}::text[])`;
  return sql`
    SELECT n.* FROM ${acts}, LATERAL (${newest(sql`l.actor_id = ${person}::uuid AND ${ofKind}`)}) n
    UNION ALL
    SELECT n.* FROM ${acts}, LATERAL (${newest(sql`l.subject = ${person}::text AND ${ofKind}`)}) n
    UNION ALL
    SELECT n.* FROM ${acts}, transactions t, LATERAL (${newest(sql`l.actor_kind = 'system' AND ${ofKind}
      AND l.at = t.created_at AND l.data->>'posted' LIKE '%' || t.id || '%'`)}) n
     WHERE t.id = ${person}::uuid AND act.action = 'transactions.posted'`;
}

function within({ before, startDate, endDate }: AuditFilter): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (before) {
    const at = sql`(SELECT b.at FROM audit_log b WHERE b.id = ${before}::bigint)`;
    conditions.push(sql`(l.at, l.id) < (${at}, ${before}::bigint)`);
  }
  if (startDate) conditions.push(sql`l.at >= ${startOfDay(startDate)}`);
  if (endDate) conditions.push(sql`l.at < ${startOfDay(endDate, 1)}`);
  return sql.join(conditions, sql` AND `);
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The current names of these ids: customers and administrators by name, transactions by reference. */
async function readNames(reader: Reader, ids: (string | null)[]): Promise<Map<string, string>> {
  const uuids = [...new Set(ids.filter(id => id !== null && uuid.test(id)))];
  const found = await sql<{ id: string; name: string }>`
    SELECT id, CASE WHEN deleted_at IS NULL THEN concat_ws(' ', first_name, last_name)
                    ELSE ${transactionsMessages.closedAccount} END AS name
      FROM customers WHERE id = ANY (${uuids}::uuid[])
    UNION ALL SELECT id, name FROM admins WHERE id = ANY (${uuids}::uuid[])
    UNION ALL SELECT id, reference FROM transactions WHERE id = ANY (${uuids}::uuid[])`.execute(reader);
  return new Map(found.rows.map(row => [row.id, row.name]));
}

function nameOfActor({ actor_kind, actor_id }: Row, names: Map<string, string>): string {
  if (actor_kind === 'system') return transactionsMessages.system;
  return (actor_id !== null && names.get(actor_id)) || adminMessages.unknownPerson;
}
