/**
 * Audits lists and searches: what an administrator asked for and how many rows were shown. The words of a search are masked,
 * because they are names of customers and an audit record is never erased.
 */

import { type AuditAction, recordAuditOnce } from '../db/audit.ts';
import type { Database } from '../db/database.ts';
import type { AdminSession } from '../http/session.ts';

/** The panel polls its lists, so the same request within an hour is one view. */
const repeatedListMs = 60 * 60_000;

type ListRequest = { query?: object | undefined; admin: AdminSession; address: string };

/** Records a list that was read. If it has a single row, the record is about that customer, transaction or record. */
export async function auditList(
  database: Database,
  { query, admin, address }: ListRequest,
  action: AuditAction,
  rows: readonly { _id: string }[],
): Promise<void> {
  const [only] = rows.length === 1 ? rows : [];
  const record = {
    actor: { kind: 'admin', id: admin.adminId },
    action,
    address,
    ...(only && { subject: only._id }),
    data: { asked: describeQuery(query ?? {}), rows: rows.length },
  } as const;
  await database.inTransaction(tx => recordAuditOnce(tx, record, repeatedListMs));
}

/** The query as text, without the page size and the first page: 'page 2, search q••••• 4821'. */
function describeQuery(query: object): string {
  return Object.entries(query)
    .filter(([name, value]) => value !== undefined && name !== 'limit' && !(name === 'page' && value === 1))
    .map(([name, value]) => `${name} ${name === 'search' ? maskWords(String(value)) : String(value)}`)
    .join(', ');
}

/** Keeps references and numbers, and of every other word only the first letter. */
function maskWords(search: string): string {
  return search
    .split(/\s+/)
    .filter(Boolean)
    .map(word =>
      /\p{L}/u.test(word) && !/^lb(-[\da-z]{4}){3}$/i.test(word) ? word.replace(/(?<=.)./gsu, '•') : word,
    )
    .join(' ');
}
