/**
 * The queues of customers who wait for an administrator: approvals and ID verifications. A page is read from the queue's own
 * indexes, so its cost does not depend on customers who don't wait.
 */
import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod/mini';
import type { QueueList, QueueSort, WaitingCustomer } from '#contract/entities.ts';
import { pageOf, rowsBefore } from '../base/paging.ts';
import { inSnapshot, type Reader } from '../db/database.ts';
import { matchesDirectory } from './customerDirectory.ts';
import { avatarAt, idCardOf } from './pictures.ts';

/** `createdAt`: the time of the registration. */
type Waiting = z.output<typeof WaitingCustomer> & { createdAt: Date };
export type QueueQuery = {
  page: number;
  limit: number;
  search?: string | undefined;
  sort?: QueueSort | undefined;
  list?: QueueList | undefined;
};

/** Rows with `account`, the customer's account id, and `since`, which sorts them by waiting time. */
type Part = RawBuilder<unknown>;

/** Accounts are opened in the order of registration, so their ids sort by waiting time. */
const toApprove: Part = sql`
  SELECT id AS account, id AS since FROM ledger_accounts WHERE kind = 'customer' AND NOT is_approved AND NOT is_closed`;
/** Customers who were asked for a document are not in the queue until they upload one. */
const isNotRequested = sql`NOT EXISTS (SELECT FROM id_requests r WHERE r.customer_id = customers.id)`;
const withDocument: Part = sql`
  SELECT account_id AS account, id_card_at AS since FROM customers
   WHERE NOT is_verified AND deleted_at IS NULL AND id_card_file IS NOT NULL AND ${isNotRequested}`;
const withoutDocument: Part = sql`
  SELECT account_id AS account, created_at AS since FROM customers
   WHERE NOT is_verified AND deleted_at IS NULL AND id_card_file IS NULL AND ${isNotRequested}`;

/**
 * SQL condition: the customer of the account in `q` has proven the email, as `isEmailProven` defines it, and not first by a
 * password reset. Written as three NOT EXISTS: PostgreSQL then reads the unproven customers and the others with such a reset
 * from their own indexes, and skips customers who don't wait.
 */
const isConfirmed = sql`
  NOT EXISTS (SELECT FROM customers c
               WHERE c.account_id = q.account AND c.email_proven_at IS NULL AND c.deleted_at IS NULL)
  AND NOT EXISTS (SELECT FROM customers c
                   WHERE c.account_id = q.account AND c.reset_unproven_at IS NOT NULL AND c.deleted_at IS NULL)
  AND NOT EXISTS (SELECT FROM customer_changes x JOIN customers c ON c.id = x.customer_id
                   WHERE c.account_id = q.account AND x.field = 'email' AND x.at > c.email_proven_at)`;

/** A page of the customers who wait for approval. All of them are `ready`: staff can decide now. */
export async function listApprovals(reader: Reader, query: QueueQuery) {
  const { accounts, ...found } = await inSnapshot(reader, snapshot =>
    readQueue(snapshot, [toApprove], query),
  );
  return { ...found, customers: await readWaiting(reader, accounts, sql`c.created_at`) };
}

/** A page of the customers who wait for the verification of their ID. Those with a document come first and are `ready`. */
export async function listVerifications(reader: Reader, query: QueueQuery) {
  const parts = [withDocument, withoutDocument];
  const { accounts, ...found } = await inSnapshot(reader, snapshot => readQueue(snapshot, parts, query));
  return {
    ...found,
    customers: await readWaiting(reader, accounts, sql`coalesce(c.id_card_at, c.created_at)`),
  };
}

/** Which of these customers were asked for an ID document and have not uploaded it yet. */
export async function listIdRequested(reader: Reader, ids: readonly string[]): Promise<Set<string>> {
  const found = await sql<{ id: string }>`
    SELECT customer_id AS id FROM id_requests WHERE customer_id = ANY (${ids}::uuid[])`.execute(reader);
  return new Set(found.rows.map(row => row.id));
}

/**
 * Reads the accounts of a page from the queue's parts in turn, and counts all accounts of the parts. Customers in the first
 * part are ready.
 */
async function readQueue(reader: Reader, parts: Part[], { search, sort, list, ...page }: QueueQuery) {
  const listed = list === 'confirmed' ? narrow(parts, isConfirmed) : parts;
  const found = search
    ? narrow(
        listed,
        sql`q.account IN (SELECT c.account_id FROM customers c WHERE ${matchesDirectory(search)})`,
      )
    : listed;
  const accounts: bigint[] = [];
  let total = 0;
  let ready: number | undefined;
  // A narrowed list is evaluated once for both the count and the page. A whole list is not: count and page each use an index.
  const as = found !== parts ? sql`AS MATERIALIZED` : sql`AS NOT MATERIALIZED`;
  for (const part of found) {
    const offset = Math.max(0, rowsBefore(page) - total);
    const wanted = page.limit - accounts.length;
    const read = await sql<{ count: number; accounts: string[] }>`
      WITH found ${as} (${part})
      SELECT (SELECT count(*)::integer FROM found) AS count,
             ARRAY(SELECT q.account::text ${inOrder(sort)} LIMIT ${wanted} OFFSET ${offset}) AS accounts`.execute(
      reader,
    );
    const { count, accounts: onPage } = read.rows[0]!;
    if (!search) ready ??= count;
    total += count;
    accounts.push(...onPage.map(BigInt));
  }
  return {
    accounts,
    ...pageOf(page, total),
    totalCustomers: total,
    ready: ready ?? (await countRows(reader, listed[0]!)),
  };
}

/** SQL: the parts, with only those rows `q` that fulfill a condition. */
const narrow = (parts: Part[], condition: Part): Part[] =>
  parts.map(part => sql`SELECT q.* FROM (${part}) q WHERE ${condition}`);

async function countRows(reader: Reader, part: Part): Promise<number> {
  const counted = await sql<{ n: bigint }>`SELECT count(*) AS n FROM (${part}) q`.execute(reader);
  return Number(counted.rows[0]!.n);
}

/** SQL: the rows of `found`, sorted. */
function inOrder(sort: QueueSort = 'oldest'): RawBuilder<unknown> {
  if (sort === 'name')
    return sql`
      FROM found q JOIN customers c ON c.account_id = q.account AND c.deleted_at IS NULL
     ORDER BY lower(c.last_name), lower(c.first_name), c.account_id`;
  return sort === 'newest'
    ? sql`FROM found q ORDER BY q.since DESC, q.account DESC`
    : sql`FROM found q ORDER BY q.since, q.account`;
}

async function readWaiting(
  reader: Reader,
  accounts: bigint[],
  since: RawBuilder<unknown>,
): Promise<Waiting[]> {
  const found = await sql<
    Omit<Waiting, 'avatar' | 'idCard' | 'isFrozen' | 'isProvenByReset'> & {
      avatar_file: string | null;
      id_card_file: string | null;
      is_frozen: boolean;
      is_proven_by_reset: boolean;
    }
  >`
    SELECT c.id AS "_id", c.first_name AS "firstName", c.last_name AS "lastName", c.email,
           a.number AS "accountNumber", c.avatar_file, c.id_card_file, a.is_frozen, c.created_at AS "createdAt",
           c.reset_unproven_at IS NOT NULL AS is_proven_by_reset,
           ${since} AS "waitingSince"
      FROM unnest(${accounts}::bigint[]) WITH ORDINALITY AS wanted(account, place)
      JOIN customers c ON c.account_id = wanted.account AND c.deleted_at IS NULL
      JOIN ledger_accounts a ON a.id = wanted.account
     ORDER BY wanted.place`.execute(reader);
  return found.rows.map(
    ({ avatar_file, id_card_file, is_frozen, is_proven_by_reset: isProvenByReset, ...row }) => ({
      ...row,
      ...(isProvenByReset && { isProvenByReset }),
      ...(is_frozen && { isFrozen: true }),
      avatar: avatarAt(avatar_file),
      idCard: idCardOf(row._id, id_card_file),
    }),
  );
}
