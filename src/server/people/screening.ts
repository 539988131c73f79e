/**
 * Sanctions screening: stores which customers resemble a listed person, and what staff decided about each match. Without a list
 * there are no matches. A new match changes no account.
 */
import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod/mini';
import { Refusal } from '#contract/errors.ts';
import * as screeningMessages from '#contract/messages/screening.ts';
import type { ScreeningHit } from '#contract/screening.ts';
import { type Page, pageOf, rowsBefore } from '../base/paging.ts';
import { fingerprint, newId } from '../base/uuid.ts';
import { recordAudit } from '../db/audit.ts';
import type { Reader, Tx } from '../db/database.ts';
import { foldName } from './nameMatching.ts';
import { countLookups, type Match, type Named, screenByList, wholeName } from './sanctionsList.ts';

type DecodedHit = z.output<typeof ScreeningHit>;

type Screened = Named & { id: string };

const screenedColumns = sql`id, first_name AS "firstName", middle_name AS "middleName", last_name AS "lastName"`;

/** Screens a customer, unless the customer was deleted. */
export async function screenCustomer(tx: Tx, customerId: string): Promise<void> {
  const found = await sql<Screened>`
    SELECT ${screenedColumns} FROM customers WHERE id = ${customerId} AND deleted_at IS NULL FOR SHARE`.execute(
    tx,
  );
  await screen(tx, found.rows);
}

/**
 * Stores and audits new matches. Marks undecided matches as outdated if they are no longer found. The caller has locked the
 * customers, so that a customer who is erased at the same time leaves no match behind.
 */
async function screen(tx: Tx, customers: readonly Screened[]): Promise<void> {
  const found = await screenByList(tx, customers);
  for (const [i, matches] of found.entries()) await storeMatches(tx, customers[i]!, matches);
  await dropOutdated(tx, customers, found);
}

const hashMatch = (customer: Named, { hash }: Match) => fingerprint(hash, foldName(wholeName(customer)));

async function storeMatches(tx: Tx, customer: Screened, matches: readonly Match[]): Promise<void> {
  for (const match of matches) {
    const { entryId, name, dateOfBirth, program, score } = match;
    const added = await sql`
      INSERT INTO screening_hits (id, customer_id, entry_id, match_hash, listed_name, date_of_birth, program, score)
      VALUES (${newId()}, ${customer.id}, ${entryId}, ${hashMatch(customer, match)}, ${name}, ${dateOfBirth},
              ${program}, ${Math.round(score * 100)})
          ON CONFLICT (customer_id, entry_id, match_hash) DO UPDATE SET state = 'open'
             WHERE screening_hits.state = 'outdated'`.execute(tx);
    if (added.numAffectedRows === 0n) continue;
    await recordAudit(tx, {
      actor: { kind: 'system' },
      action: 'screening.found',
      subject: customer.id,
      data: { entry: entryId },
    });
  }
}

/** Marks undecided matches as outdated if they were not found again, because the list or the name has changed. */
async function dropOutdated(
  tx: Tx,
  customers: readonly Screened[],
  found: readonly (readonly Match[])[],
): Promise<void> {
  const hashes = found.flatMap((matches, i) => matches.map(match => hashMatch(customers[i]!, match)));
  await sql`
    UPDATE screening_hits SET state = 'outdated'
     WHERE customer_id = ANY (${customers.map(({ id }) => id)}::uuid[]) AND state = 'open'
       AND NOT match_hash = ANY (${hashes}::uuid[])`.execute(tx);
}

/**
 * The state of those applicants who can't be approved. `match`: the applicant is the listed person, whether or not other
 * matches are undecided. `open`: a match waits for a decision.
 */
export async function listScreeningStates(
  reader: Reader,
  customerIds: readonly string[],
): Promise<Map<string, 'open' | 'match'>> {
  const found = await sql<{ id: string; state: 'open' | 'match' }>`
    SELECT customer_id AS id, min(state) AS state FROM screening_hits
     WHERE customer_id = ANY (${customerIds}::uuid[]) AND state IN ('open', 'match') GROUP BY customer_id`.execute(
    reader,
  );
  return new Map(found.rows.map(row => [row.id, row.state]));
}

/**
 * The most customers per batch, and the most list searches for all of them. Few enough that a change of a customer in the batch
 * waits only briefly for the customer's lock.
 */
const [batchSize, lookupsPerBatch] = [100, 100];

/** Screens the next customers for an import. Returns false if all are screened or a newer list was imported. */
export async function screenNextCustomers(tx: Tx, importId: string): Promise<boolean> {
  const found = await sql<{ to: string }>`
    SELECT screened_to AS to FROM screening_imports
     WHERE id = ${importId} AND finished_at IS NULL
       AND NOT EXISTS (SELECT FROM screening_imports n WHERE n.id > ${importId}) FOR UPDATE`.execute(tx);
  if (!found.rows[0]) return false;
  const next = await sql<Screened>`
    SELECT ${screenedColumns} FROM customers WHERE id > ${found.rows[0].to} AND deleted_at IS NULL
     ORDER BY id LIMIT ${batchSize} FOR SHARE`.execute(tx);
  let lookups = 0;
  const batch = next.rows.filter((customer, at) => {
    lookups += countLookups(customer);
    return at === 0 || lookups <= lookupsPerBatch;
  });
  await screen(tx, batch);
  const hasMore = next.rows.length === batchSize || batch.length < next.rows.length;
  await sql`
    UPDATE screening_imports
       SET screened = screened + ${batch.length}, screened_to = ${batch.at(-1)?.id ?? found.rows[0].to},
           finished_at = CASE WHEN ${hasMore} THEN NULL ELSE now() END
     WHERE id = ${importId}`.execute(tx);
  return hasMore;
}

type Row = Omit<DecodedHit, 'customer' | 'listed' | 'decidedAt' | 'decidedBy' | 'reason'> &
  Named & {
    customer_id: string;
    accountNumber: string;
    born: string | null;
    is_approved: boolean;
    entry_id: string;
    listed_name: string;
    listed_born: string;
    program: string;
    decided_at: Date | null;
    decided_by: string | null;
    reason: string | null;
  };

async function readHits(reader: Reader, rest: RawBuilder<unknown>): Promise<DecodedHit[]> {
  const found = await sql<Row>`
    SELECT h.id AS "_id", h.customer_id, c.first_name AS "firstName", c.middle_name AS "middleName",
           c.last_name AS "lastName", a.number AS "accountNumber", to_char(c.date_of_birth, 'YYYY-MM-DD') AS born, a.is_approved, h.entry_id,
           h.listed_name, h.date_of_birth AS listed_born, h.program, h.score, h.state, h.found_at AS "foundAt",
           h.decided_at, d.name AS decided_by, h.reason
      FROM screening_hits h JOIN customers c ON c.id = h.customer_id JOIN ledger_accounts a ON a.id = c.account_id
      LEFT JOIN admins d ON d.id = h.decided_by
     WHERE c.deleted_at IS NULL AND ${rest}`.execute(reader);
  return found.rows.map(row => ({
    _id: row._id,
    customer: {
      _id: row.customer_id,
      firstName: row.firstName,
      lastName: row.lastName,
      fullName: wholeName(row),
      accountNumber: row.accountNumber,
      dateOfBirth: row.born,
      isApproved: row.is_approved,
    },
    listed: {
      id: row.entry_id,
      name: row.listed_name,
      dateOfBirth: row.listed_born,
      program: row.program,
    },
    score: row.score,
    state: row.state,
    foundAt: row.foundAt,
    ...(row.decided_at && { decidedAt: row.decided_at }),
    ...(row.decided_by !== null && { decidedBy: row.decided_by }),
    ...(row.reason !== null && { reason: row.reason }),
  }));
}

/** The matches of one customer, newest first. */
export const listCustomerHits = (reader: Reader, customerId: string) =>
  readHits(reader, sql`h.customer_id = ${customerId} ORDER BY h.id DESC LIMIT 100`);

/** A page of the matches, oldest first, with the number of open ones and the state of the newest import. */
export async function listHits(
  reader: Reader,
  { state, ...page }: Page & { state?: DecodedHit['state'] | undefined },
) {
  const isAsked = state ? sql`h.state = ${state}` : sql`true`;
  const counted = await sql<{ asked: number; open: number }>`
    SELECT (SELECT count(*)::int FROM screening_hits h WHERE ${isAsked}) AS asked,
           (SELECT count(*)::int FROM screening_hits h WHERE h.state = 'open') AS open`.execute(reader);
  const { asked, open } = counted.rows[0]!;
  const hits = await readHits(
    reader,
    sql`h.id IN (SELECT h.id FROM screening_hits h WHERE ${isAsked} ORDER BY h.id LIMIT ${page.limit} OFFSET ${rowsBefore(page)})
        ORDER BY h.id`,
  );
  const list = await readImport(reader);
  return { hits, ...pageOf(page, asked), totalHits: asked, open, ...(list && { list }) };
}

/** The newest import and the progress of its screening; undefined without a list. */
async function readImport(reader: Reader) {
  const found = await sql<{ importedAt: Date; entries: number; screened: number; finished_at: Date | null }>`
    SELECT imported_at AS "importedAt", entries, screened, finished_at FROM screening_imports
     ORDER BY id DESC LIMIT 1`.execute(reader);
  if (!found.rows[0]) return undefined;
  const { finished_at: finishedAt, ...list } = found.rows[0];
  return { ...list, ...(finishedAt && { finishedAt }) };
}

/**
 * Decides a match, or takes the decision back (`open`). Refuses `NOT_FOUND` if there is no such match. Refuses `CONFLICT` if
 * the match is outdated, was decided before, or has no decision to take back.
 */
export async function decideHit(
  tx: Tx,
  hitId: string,
  {
    adminId,
    address,
    to,
    reason,
  }: { adminId: string; address: string; to: 'match' | 'no-match' | 'open'; reason: string },
): Promise<DecodedHit> {
  const held = await sql<{ customer_id: string; entry_id: string; state: DecodedHit['state'] }>`
    SELECT h.customer_id, h.entry_id, h.state FROM screening_hits h WHERE h.id = ${hitId} FOR UPDATE`.execute(
    tx,
  );
  const hit = held.rows[0];
  if (!hit) throw new Refusal('NOT_FOUND');
  if (hit.state === 'outdated') throw new Refusal('CONFLICT', { message: screeningMessages.outdated });
  if (to === 'open' && hit.state === 'open')
    throw new Refusal('CONFLICT', { message: screeningMessages.openBefore });
  if (to !== 'open' && hit.state !== 'open')
    throw new Refusal('CONFLICT', { message: screeningMessages.decidedBefore });
  const isDecision = to !== 'open';
  await sql`
    UPDATE screening_hits
       SET state = ${to}, decided_by = ${isDecision ? adminId : null}, reason = ${isDecision ? reason : null},
           decided_at = CASE WHEN ${isDecision} THEN now() END
     WHERE id = ${hitId}`.execute(tx);
  const actions = {
    match: 'screening.confirmed',
    'no-match': 'screening.cleared',
    open: 'screening.reopened',
  } as const;
  await recordAudit(tx, {
    actor: { kind: 'admin', id: adminId },
    action: actions[to],
    subject: hit.customer_id,
    address,
    data: { entry: hit.entry_id, reason },
  });
  return (await readHits(tx, sql`h.id = ${hitId}`))[0]!;
}
