/**
 * Sanctions screening: stores which customers resemble a listed person, and what staff decided about each match. Without a list
 * there are no matches. A new match changes no account.
 */
import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod/mini';
import { screening as rule } from '#contract/constants.ts';
import { Refusal } from '#contract/errors.ts';
import * as screeningMessages from '#contract/messages/screening.ts';
import type { ScreeningHit } from '#contract/screening.ts';
import { type Page, pageOf, rowsBefore } from '../base/paging.ts';
import { fingerprint, newId } from '../base/uuid.ts';
import { recordAudit, recordAuditAll } from '../db/audit.ts';
import type { Reader, Tx } from '../db/database.ts';
import { lockCustomer } from './customers.ts';
import { foldName } from './nameMatching.ts';
import { countLookups, type Match, type Named, screenByList, wholeName } from './sanctionsList.ts';

type DecodedHit = z.output<typeof ScreeningHit>;

type Screened = Named & { id: string; born: string | null };

const screenedColumns = sql`id, first_name AS "firstName", middle_name AS "middleName", last_name AS "lastName",
                            to_char(date_of_birth, 'YYYY-MM-DD') AS born`;

/** Screens a customer, unless the customer was deleted. */
export async function screenCustomer(tx: Tx, customerId: string): Promise<void> {
  const found = await sql<Screened>`
    SELECT ${screenedColumns} FROM customers WHERE id = ${customerId} AND deleted_at IS NULL FOR SHARE`.execute(
    tx,
  );
  await screen(tx, found.rows);
}

/** A match of a customer. `hash` also covers the customer's name. */
type OwnMatch = Match & { customerId: string };

const keyOf = (match: Pick<OwnMatch, 'customerId' | 'entryId' | 'hash'>) =>
  `${match.customerId} ${match.entryId} ${match.hash}`;

/**
 * Stores and audits the strongest new matches of each customer, and counts the others. Marks undecided matches as outdated if
 * they were not found again, because the list or the name has changed. The caller has locked the customers, so that a customer
 * who is erased at the same time leaves no match behind.
 */
async function screen(tx: Tx, customers: readonly Screened[]): Promise<void> {
  const found = (await screenByList(tx, customers)).map((matches, i) => sortMatches(customers[i]!, matches));
  const ids = customers.map(({ id }) => id);
  const known = await sql<{ id: string; key: string; state: DecodedHit['state'] }>`
    WITH counted_before AS (DELETE FROM screening_more_matches WHERE customer_id = ANY (${ids}::uuid[]))
    SELECT id, customer_id || ' ' || entry_id || ' ' || match_hash AS key, state FROM screening_hits
     WHERE customer_id = ANY (${ids}::uuid[]) AND state <> 'outdated'`.execute(tx);
  const states = new Map(known.rows.map(({ key, state }) => [key, state]));
  const undecided = found.map(matches =>
    matches.filter(match => (states.get(keyOf(match)) ?? 'open') === 'open'),
  );
  // An open match stays open, even if a new list has many stronger ones.
  const isNew = (match: OwnMatch) => !states.has(keyOf(match));
  await storeMatches(
    tx,
    undecided.flatMap(matches => matches.slice(0, rule.maxMatches).filter(isNew)),
  );
  await countMore(
    tx,
    ids,
    undecided.map(matches => matches.slice(rule.maxMatches).filter(isNew).length),
  );
  const keys = new Set(undecided.flat().map(keyOf));
  const gone = known.rows.filter(({ key, state }) => state === 'open' && !keys.has(key));
  if (gone.length === 0) return;
  await sql`
    UPDATE screening_hits SET state = 'outdated'
     WHERE id = ANY (${gone.map(({ id }) => id)}::uuid[]) AND state = 'open'`.execute(tx);
}

/** Sorts a customer's matches, the strongest first: matches with the same date of birth come first, then more similar names. */
function sortMatches(customer: Screened, matches: readonly Match[]): OwnMatch[] {
  const folded = foldName(wholeName(customer));
  const isSameBirth = ({ dateOfBirth }: Match) =>
    Number(dateOfBirth !== '' && (customer.born?.startsWith(dateOfBirth) ?? false));
  return matches
    .map(match => ({ ...match, customerId: customer.id, hash: fingerprint(match.hash, folded) }))
    .sort((a, b) => isSameBirth(b) - isSameBirth(a) || b.score - a.score || (a.entryId < b.entryId ? -1 : 1));
}

/** Stores matches, each customer's strongest first, with one audit record per customer. */
async function storeMatches(tx: Tx, matches: readonly OwnMatch[]): Promise<void> {
  if (matches.length === 0) return;
  const rows = matches.map(match => ({ ...match, id: newId(), score: Math.round(match.score * 100) }));
  const stored = await sql<{ customerId: string; entryId: string }>`
    INSERT INTO screening_hits (id, customer_id, entry_id, match_hash, listed_name, date_of_birth, program, score)
    SELECT id, "customerId", "entryId", hash, name, "dateOfBirth", program, score
      FROM json_to_recordset(${JSON.stringify(rows)}::json)
        AS m(id uuid, "customerId" uuid, "entryId" text, hash uuid, name text, "dateOfBirth" text, program text, score smallint)
     -- Two screenings of one customer lock the rows in the same order.
     ORDER BY "customerId", "entryId"
        ON CONFLICT (customer_id, entry_id, match_hash) DO UPDATE SET state = 'open'
           WHERE screening_hits.state = 'outdated'
    RETURNING customer_id AS "customerId", entry_id AS "entryId"`.execute(tx);
  const entriesOf = Map.groupBy(stored.rows, ({ customerId }) => customerId);
  await recordAuditAll(
    tx,
    [...entriesOf].map(([subject, entries]) => ({
      actor: { kind: 'system' },
      action: 'screening.found',
      subject,
      data: { entries: entries.map(({ entryId }) => entryId) },
    })),
  );
}

/** Stores how many matches of each customer were left out. */
async function countMore(tx: Tx, customerIds: readonly string[], counts: readonly number[]): Promise<void> {
  if (counts.every(count => count === 0)) return;
  await sql`
    INSERT INTO screening_more_matches (customer_id, count)
    SELECT * FROM unnest(${customerIds}::uuid[], ${counts}::integer[]) AS m(customer_id, count) WHERE count > 0
        ON CONFLICT (customer_id) DO UPDATE SET count = EXCLUDED.count`.execute(tx);
}

/**
 * Screens a customer again if matches were left out, unless a match is undecided or confirmed. After a confirmed match, further
 * matches need no decision. The caller has locked the customer.
 */
async function storeNextMatches(tx: Tx, customerId: string): Promise<void> {
  const waiting = await sql`
    SELECT FROM screening_more_matches
     WHERE customer_id = ${customerId}
       AND NOT EXISTS (SELECT FROM screening_hits WHERE customer_id = ${customerId} AND state IN ('open', 'match'))`.execute(
    tx,
  );
  if (waiting.rows.length > 0) await screenCustomer(tx, customerId);
}

/**
 * The state of those customers who have a confirmed or an undecided match. `match`: the customer is the listed person, whether
 * or not other matches are undecided. `open`: a match waits for a decision.
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
    moreMatches: number | null;
    decided_at: Date | null;
    decided_by: string | null;
    reason: string | null;
  };

async function readHits(reader: Reader, rest: RawBuilder<unknown>): Promise<DecodedHit[]> {
  const found = await sql<Row>`
    SELECT h.id AS "_id", h.customer_id, c.first_name AS "firstName", c.middle_name AS "middleName",
           c.last_name AS "lastName", a.number AS "accountNumber", to_char(c.date_of_birth, 'YYYY-MM-DD') AS born, a.is_approved, h.entry_id,
           h.listed_name, h.date_of_birth AS listed_born, h.program, h.score, h.state, h.found_at AS "foundAt",
           h.decided_at, d.name AS decided_by, h.reason, m.count AS "moreMatches"
      FROM screening_hits h JOIN customers c ON c.id = h.customer_id JOIN ledger_accounts a ON a.id = c.account_id
      LEFT JOIN admins d ON d.id = h.decided_by LEFT JOIN screening_more_matches m ON m.customer_id = h.customer_id
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
      ...(row.moreMatches !== null && { moreMatches: row.moreMatches }),
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

/**
 * The matches of one customer: a confirmed one, the undecided ones, then the others. In each group, the newest come first, and
 * of those found together, the strongest.
 */
export const listCustomerHits = (reader: Reader, customerId: string) =>
  readHits(
    reader,
    sql`h.customer_id = ${customerId} ORDER BY h.state <> 'match', h.state <> 'open', h.found_at DESC, h.id LIMIT 100`,
  );

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
 * the match is outdated, was decided before, or has no decision to take back. If matches were left out, stores the next ones,
 * unless a match of the customer is undecided or confirmed.
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
  const found = await sql<{ customerId: string }>`
    SELECT customer_id AS "customerId" FROM screening_hits WHERE id = ${hitId}`.execute(tx);
  if (!found.rows[0]) throw new Refusal('NOT_FOUND');
  const { customerId } = found.rows[0];
  // Locks the customer before the match, as a screening does. So of two decisions at the same time, the later one sees that no
  // match is undecided (`storeNextMatches`).
  await lockCustomer(tx, customerId);
  const held = await sql<{ entry_id: string; state: DecodedHit['state'] }>`
    SELECT h.entry_id, h.state FROM screening_hits h WHERE h.id = ${hitId} FOR UPDATE`.execute(tx);
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
    subject: customerId,
    address,
    data: { entry: hit.entry_id, reason },
  });
  await storeNextMatches(tx, customerId);
  return (await readHits(tx, sql`h.id = ${hitId}`))[0]!;
}
