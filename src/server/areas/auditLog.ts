/**
 * Reads the audit log for administrators, who filter, search and export it. Names are looked up when it is read, so the name of
 * an erased person does not appear. A deleted customer appears as a closed account with its number. Recorded data is summarized
 * as text.
 */
import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod/mini';
import { formatAccountNumber } from '#contract/accountNumber.ts';
import { type AuditEntry, actorKinds } from '#contract/entities.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import * as transactionsMessages from '#contract/messages/transactions.ts';
import { containing } from '../base/like.ts';
import type { AuditAction, AuditData } from '../db/audit.ts';
import { startOfDay } from '../db/bankDay.ts';
import type { Reader } from '../db/database.ts';
import { findCustomers } from '../people/customerDirectory.ts';
import { listRetained } from '../people/retention.ts';
import { describeDetails, namedIds } from './auditDetails.ts';

/**
 * `before`: the id of a record; only older ones are returned. `person`: the id of a customer, an administrator or a
 * transaction. Dates are inclusive, in the bank's time zone.
 */
export type AuditFilter = {
  limit: number;
  before?: string | undefined;
  actorKind?: (typeof actorKinds)[number] | undefined;
  action?: string | undefined;
  person?: string | undefined;
  search?: string | undefined;
  startDate?: string | undefined;
  endDate?: string | undefined;
};

type HistoryFilter = Pick<AuditFilter, 'limit' | 'before'> & { person: string };

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

const actions = Object.keys(adminMessages.auditActions);

/** A page of the log, newest first. An unknown action or person matches nothing. */
export async function readAuditLog(reader: Reader, filter: AuditFilter) {
  const people = filter.search ? await findPeople(reader, filter.search) : undefined;
  const wanted = people ? searching(filter, filter.search!, people) : matching(filter);
  const found = await readPage(reader, wanted, filter.limit);
  return {
    records: await toEntries(reader, found.rows),
    actions: [...actions],
    hasMore: found.hasMore,
    ...(people && people.length > maxPeople && { isCut: true }),
  };
}

/** If a search finds more people and transactions than this, only the records of this many of them are searched. */
const maxPeople = 20;

/**
 * The ids of the customers, administrators and transactions that the text names. An account number also finds a deleted
 * customer.
 */
async function findPeople(reader: Reader, text: string): Promise<string[]> {
  const reference = `LB-${text.replace(/^LB-?|-/gi, '').replace(/(.{4})(?=.)/g, '$1-')}`.toUpperCase();
  const others = await sql<{ id: string }>`
    SELECT id FROM admins WHERE name || ' ' || email ILIKE ${containing(text)}
    UNION ALL SELECT id FROM transactions_of_reference(${reference}) AS t(id)
    UNION ALL SELECT c.id FROM ledger_accounts a JOIN customers c ON c.account_id = a.id
     WHERE a.number = ${text.replace(/[\s-]/g, '')} AND c.deleted_at IS NOT NULL`.execute(reader);
  const customers = await findCustomers(reader, text, maxPeople + 1);
  return [...others.rows.map(row => row.id), ...customers];
}

/**
 * A query for the time and id of the newest records that involve these people, that contain the text in an administrator's
 * reason, or whose IP address is the text. Reasons are searched only for texts of at least three characters, because their
 * index is of trigrams.
 */
function searching(filter: AuditFilter, text: string, people: readonly string[]): RawBuilder<unknown> {
  const { action, actorKind, limit, person } = filter;
  const acts = sql`unnest(${action ? [action] : actions}::text[]) AS act(action)`;
  const ofKind = sql`l.actor_kind = ANY (${actorKind ? [actorKind] : [...actorKinds]}::text[])`;
  const ofPerson = person ? involving(person) : sql`true`;
  const newest = (condition: RawBuilder<unknown>) => sql`
    SELECT l.at, l.id FROM audit_log l
     WHERE ${condition} AND l.action = act.action AND ${ofKind} AND ${ofPerson} AND ${within(filter)}
     ORDER BY l.at DESC, l.id DESC LIMIT ${limit + 1}`;
  const ids = sql`unnest(${people.slice(0, maxPeople)}::text[]) AS one(id)`;
  const reason = sql`
    SELECT n.* FROM (
      WITH reasons AS MATERIALIZED (
        SELECT l.id FROM audit_log l
         WHERE l.actor_kind = 'admin' AND l.data->>'reason' IS NOT NULL AND l.data->>'reason' ILIKE ${containing(text)})
      SELECT l.at, l.id FROM reasons r JOIN audit_log l ON l.id = r.id
       WHERE ${ofKind} AND ${ofPerson} AND ${action ? sql`l.action = ${action}` : sql`true`} AND ${within(filter)}
       ORDER BY l.at DESC, l.id DESC LIMIT ${limit + 1}) n`;
  return sql.join(
    [
      sql`SELECT n.* FROM ${ids}, ${acts}, LATERAL (${newest(sql`l.actor_id = one.id::uuid`)}) n`,
      sql`SELECT n.* FROM ${ids}, ${acts}, LATERAL (${newest(sql`l.subject = one.id`)}) n`,
      sql`SELECT n.* FROM ${acts}, LATERAL (${newest(sql`l.address = ${text}`)}) n`,
      naming(people.slice(0, maxPeople), sql`${ofKind} AND ${ofPerson}`, filter),
      ...(text.length >= 3 ? [reason] : []),
    ],
    sql` UNION ALL `,
  );
}

/** A page of the acts on a customer, newest first, with the reasons that administrators gave. Views are left out. */
export async function readCustomerHistory(reader: Reader, filter: HistoryFilter) {
  const { limit, person } = filter;
  const acts = actions.filter(action => !/viewed$|listed$/.test(action));
  const found = await readPage(
    reader,
    sql`SELECT n.* FROM unnest(${acts}::text[]) AS act(action), LATERAL (
          SELECT l.at, l.id FROM audit_log l
           WHERE l.subject = ${person} AND l.action = act.action AND ${within(filter)}
           ORDER BY l.at DESC, l.id DESC LIMIT ${limit + 1}) n`,
    limit,
  );
  const given = found.rows.map(({ actor_kind, data }) => (actor_kind === 'admin' ? data?.reason : undefined));
  // The details do not repeat the reason.
  const rows = found.rows.map((row, i) =>
    given[i] ? { ...row, data: { ...row.data, reason: undefined } } : row,
  );
  const entries = await toEntries(reader, rows);
  const records = entries.map((entry, i) => ({ ...entry, ...(given[i] && { reason: given[i] }) }));
  return { records, hasMore: found.hasMore };
}

const chunkSize = 1000;

/** All records that match, oldest first. They are read in chunks. */
export async function* readWholeAuditLog(
  reader: Reader,
  filter: Omit<AuditFilter, 'limit' | 'before' | 'search'>,
): AsyncGenerator<AuditEntryOutput> {
  const { actorKind, person, action } = filter;
  const newest = await sql<{ id: bigint | null }>`SELECT max(id) AS id FROM audit_log`.execute(reader);
  for (let after = 0n; ; ) {
    const found = await sql<Row>`
      SELECT ${columns} FROM audit_log l
       WHERE l.id > ${after} AND l.id <= ${newest.rows[0]!.id ?? 0n} AND ${within(filter)}
         AND ${actorKind ? sql`l.actor_kind = ${actorKind}` : sql`true`}
         AND ${action ? sql`l.action = ${action}` : sql`true`}
         AND ${person ? involving(person) : sql`true`}
       ORDER BY l.id LIMIT ${chunkSize}`.execute(reader);
    yield* await toEntries(reader, found.rows);
    if (found.rows.length < chunkSize) return;
    after = found.rows.at(-1)!.id;
  }
}

const columns = sql`l.id, l.at, l.actor_kind, l.actor_id, l.action, l.subject, l.address, l.data,
  EXISTS (SELECT FROM audit_seals s WHERE s.audit_id = l.id) AS is_sealed`;

/** The newest of the records whose time and id the query `wanted` returns. */
async function readPage(reader: Reader, wanted: RawBuilder<unknown>, limit: number) {
  const found = await sql<Row>`
    SELECT ${columns}
      FROM (SELECT DISTINCT at, id FROM (${wanted}) m ORDER BY at DESC, id DESC LIMIT ${limit + 1}) wanted
      JOIN audit_log l ON l.id = wanted.id
     ORDER BY wanted.at DESC, wanted.id DESC`.execute(reader);
  return { rows: found.rows.slice(0, limit), hasMore: found.rows.length > limit };
}

const isDeletion = ({ action }: Row) => action === 'customer.deleted' || action === 'registration.removed';

type AuditEntryOutput = z.output<typeof AuditEntry>;

async function toEntries(reader: Reader, rows: Row[]): Promise<AuditEntryOutput[]> {
  const names = await readNames(
    reader,
    rows.flatMap(row => [row.actor_id, row.subject, ...namedIds(row.data ?? {})]),
  );
  const deleted = rows.filter(isDeletion).map(row => row.subject!);
  const isNeeded = deleted.length > 0;
  const sweeps = isNeeded ? await readSweeps(reader, deleted) : new Map<string, AuditData>();
  const numbers = await readReturnedNumbers(reader, rows);
  const retained = isNeeded ? await listRetained(reader, deleted) : new Map<string, Date>();
  return rows.map(row => {
    const deletedId = isDeletion(row) ? (row.subject ?? '') : '';
    const retainedUntil = retained.get(deletedId);
    const details = describeDetails({ ...row.data, ...sweeps.get(deletedId) }, names, row.action);
    const number = row.action === 'deposit.returned' ? numbers.get(row.subject ?? '') : undefined;
    return {
      _id: String(row.id),
      at: row.at,
      actorKind: row.actor_kind,
      actorId: row.actor_id ?? '',
      actorName: nameOfActor(row, names),
      action: row.action,
      subject: row.subject ?? '',
      subjectName: (row.subject !== null && names.get(row.subject)) || '',
      address: row.address ?? '',
      details: number ? `${details}, account ${formatAccountNumber(number)}` : details,
      isSealed: row.is_sealed,
      ...(retainedUntil && { retainedUntil }),
    };
  });
}

/**
 * A query for the time and id of the newest matching records. Each action is read by index scans that stop after a page, so the
 * cost does not depend on the length of the log.
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
    ${naming([person], ofKind, filter)}`;
}

/** SQL: the id in the data of the record `l` of what it is about. It is the expression of the index `audit_log_named`. */
const named = sql`coalesce(l.data->>'transaction', l.data->>'reverses', l.data->>'claims', l.data->>'request', l.data->>'schedule')`;

/** SQL: those of these ids that are transactions, with the requests about them and the schedules that made them. */
function thingsOf(ids: readonly string[]): RawBuilder<unknown> {
  const one = sql`ANY (${ids}::uuid[])`;
  return sql`
    SELECT id::text FROM transactions WHERE id = ${one}
    UNION SELECT id::text FROM approval_requests WHERE transaction_id = ${one}
    UNION SELECT id::text FROM approval_requests WHERE result_id = ${one}
    UNION SELECT schedule_id::text FROM scheduled_runs WHERE transaction_id = ${one}`;
}

/** SQL: the record `l` reports the posting of the transaction `t`, perhaps with others. */
const posts = sql`l.actor_kind = 'system' AND l.action = 'transactions.posted' AND l.at = t.created_at
  AND l.data->>'posted' LIKE '%' || t.id || '%'`;

/**
 * A query for the time and id of the newest records that fulfill a condition and whose data names one of these transactions, a
 * request about it, or its schedule. Ids of people find nothing.
 */
function naming(
  ids: readonly string[],
  condition: RawBuilder<unknown>,
  { action, limit, ...period }: AuditFilter,
): RawBuilder<unknown> {
  const newest = (names: RawBuilder<unknown>) => sql`
    SELECT l.at, l.id FROM audit_log l
     WHERE ${names} AND ${condition} AND ${action ? sql`l.action = ${action}` : sql`true`} AND ${within(period)}
     ORDER BY l.at DESC, l.id DESC LIMIT ${limit + 1}`;
  return sql`
    SELECT n.* FROM (${thingsOf(ids)}) thing(id),
      LATERAL (${newest(sql`${named} = thing.id AND l.action <> 'transactions.posted'`)}) n
    UNION ALL
    SELECT n.* FROM transactions t, LATERAL (${newest(posts)}) n WHERE t.id = ANY (${ids}::uuid[])`;
}

/** SQL: the record `l` is by, about or names this person or transaction. */
const involving = (person: string) => sql`(
  l.actor_id = ${person}::uuid OR l.subject = ${person}::text
  OR (l.action <> 'transactions.posted' AND ${named} IN (${thingsOf([person])}))
  OR EXISTS (SELECT FROM transactions t WHERE t.id = ${person}::uuid AND ${posts}))`;

function within({
  before,
  startDate,
  endDate,
}: Pick<AuditFilter, 'before' | 'startDate' | 'endDate'>): RawBuilder<unknown> {
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

/**
 * The current names of these ids: customers, administrators and savings goals by name, movements of a goal by the goal's name,
 * transactions by reference, requests by their kind.
 */
async function readNames(reader: Reader, ids: (string | null)[]): Promise<Map<string, string>> {
  const uuids = [...new Set(ids.filter(id => id !== null && uuid.test(id)))];
  const found = await sql<{ id: string; name: string; closed: string | null }>`
    SELECT c.id, concat_ws(' ', c.first_name, c.last_name) AS name,
           CASE WHEN c.deleted_at IS NOT NULL THEN a.number END AS closed
      FROM customers c JOIN ledger_accounts a ON a.id = c.account_id WHERE c.id = ANY (${uuids}::uuid[])
    UNION ALL SELECT id, name, NULL FROM admins WHERE id = ANY (${uuids}::uuid[])
    UNION ALL SELECT id, reference, NULL FROM transactions WHERE id = ANY (${uuids}::uuid[])
    UNION ALL SELECT id, name, NULL FROM goals WHERE id = ANY (${uuids}::uuid[])
    UNION ALL SELECT m.id, g.name, NULL FROM goal_movements m JOIN goals g ON g.ledger_account = m.goal_account
     WHERE m.id = ANY (${uuids}::uuid[])`.execute(reader);
  const requests = await sql<{ id: string; kind: keyof typeof staffMessages.requestKinds }>`
    SELECT id, kind FROM approval_requests WHERE id = ANY (${uuids}::uuid[])`.execute(reader);
  return new Map([
    ...found.rows.map(({ id, name, closed }): [string, string] => [
      id,
      closed === null ? name : `${transactionsMessages.closedAccount} ${formatAccountNumber(closed)}`,
    ]),
    ...requests.rows.map(({ id, kind }): [string, string] => [id, staffMessages.requestKinds[kind]]),
  ]);
}

/** For each customer whose closed account was not empty: the amount and the transaction of the sweep that emptied it. */
async function readSweeps(reader: Reader, customerIds: string[]): Promise<Map<string, AuditData>> {
  // A sweep is the last entry of its account.
  const found = await sql<{ id: string; transaction: string; cents: bigint }>`
    SELECT c.id, t.id AS transaction, t.amount AS cents
      FROM customers c JOIN ledger_accounts a ON a.id = c.account_id
      JOIN transactions t ON t.sender_account = a.id AND t.sender_seq = a.entry_count
     WHERE c.id = ANY (${customerIds}::uuid[]) AND t.type = 'transfer' AND t.receiver_account IS NULL`.execute(
    reader,
  );
  return new Map(found.rows.map(({ id, transaction, cents }) => [id, { cents: Number(cents), transaction }]));
}

/** For each deposit of these records that was sent back, the account number to which it was sent. */
async function readReturnedNumbers(reader: Reader, rows: Row[]): Promise<Map<string, string>> {
  const refs = rows.filter(row => row.action === 'deposit.returned').map(row => row.subject);
  if (refs.length === 0) return new Map();
  const found = await sql<{ ref: string; number: string }>`
    SELECT ref, account_number AS number FROM deposits WHERE ref = ANY (${refs}::text[])`.execute(reader);
  return new Map(found.rows.map(({ ref, number }) => [ref, number]));
}

function nameOfActor({ actor_kind, actor_id }: Row, names: Map<string, string>): string {
  if (actor_kind === 'system') return transactionsMessages.system;
  return (actor_id !== null && names.get(actor_id)) || adminMessages.unknownPerson;
}
