/**
 * Audits lists and searches: what an administrator asked for and how many rows were shown. The words of a search are masked,
 * because they can be names of customers, and an audit record is never erased.
 */
import { hmac } from '../base/keys.ts';
import { type AuditAction, recordAudit, recordAuditOnce } from '../db/audit.ts';
import type { AdminSession } from '../http/session.ts';
import type { Parts } from '../parts.ts';
import { lockActor } from './recordAct.ts';

/** The back office polls its lists, so the same request within an hour is one view. */
const repeatedListMs = 60 * 60_000;

type ListRequest = { query?: object | undefined; admin: AdminSession; address: string };

/** Audits that a list was read. If the list has a single row, that row is the subject of the audit record. */
export async function auditList(
  { database, secrets }: Pick<Parts, 'database' | 'secrets'>,
  { query, admin, address }: ListRequest,
  action: AuditAction,
  rows: readonly { _id: string }[],
): Promise<void> {
  const [only] = rows.length === 1 ? rows : [];
  // The hash tells searches apart that have the same masked words.
  const queryHash = hmac(secrets.queryKey, JSON.stringify(query ?? {})).toString('base64url');
  const record = {
    actor: { kind: 'admin', id: admin.adminId },
    action,
    address,
    ...(only && { subject: only._id }),
    data: { asked: describeQuery(query ?? {}), queryHash, rows: rows.length },
  } as const;
  await database.inTransaction(tx => recordAuditOnce(tx, record, repeatedListMs));
}

/** Audits that an administrator saved a list as a file, and with which filters. */
export async function auditExport(
  { database }: Pick<Parts, 'database'>,
  { query, admin, address }: ListRequest,
  action: AuditAction,
): Promise<void> {
  const actor = { kind: 'admin', id: admin.adminId } as const;
  const asked = describeQuery(query ?? {});
  await database.inTransaction(async tx => {
    await lockActor(tx, admin);
    await recordAudit(tx, { actor, action, address, data: { asked } });
  });
}

const notAsked = new Set(['limit', 'withApproval']);

/** The query as text, such as 'page 2, search q••••• 4821'. Omits page 1 and the fields in `notAsked`. */
function describeQuery(query: object): string {
  return Object.entries(query)
    .filter(
      ([name, value]) => value !== undefined && !notAsked.has(name) && !(name === 'page' && value === 1),
    )
    .map(([name, value]) => `${name} ${name === 'search' ? maskWords(String(value)) : String(value)}`)
    .join(', ');
}

/** Keeps references and numbers. Of every other word, only the first letter stays. */
function maskWords(search: string): string {
  return search
    .split(/\s+/)
    .filter(Boolean)
    .map(word =>
      /\p{L}/u.test(word) && !/^lb(-[\da-z]{4}){3}$/i.test(word) ? word.replace(/(?<=.)./gsu, '•') : word,
    )
    .join(' ');
}
