/**
 * Sanctions screening: stores which customers resemble a listed person, and what staff decided about each match. Until the
 * first import, there are no matches. A new match changes no account.
 */
import { sql } from 'kysely';
import { screening as rule } from '#contract/constants.ts';
import { Refusal } from '#contract/errors.ts';
import * as screeningMessages from '#contract/messages/screening.ts';
import { fingerprint, newId } from '../base/uuid.ts';
import { recordAudit, recordAuditAll } from '../db/audit.ts';
import type { Reader, Tx } from '../db/database.ts';
import { lockCustomer, readIdentity } from './customers.ts';
import { foldName } from './nameMatching.ts';
import { countLookups, type Match, type Named, screenByList, wholeName } from './sanctionsList.ts';
import {
  confirmedBefore,
  type Decision,
  type DecodedHit,
  formerDecision,
  readHits,
} from './screeningHits.ts';

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

const entryOf = ({ customerId, entryId }: Pick<OwnMatch, 'customerId' | 'entryId'>) =>
  `${customerId} ${entryId}`;

/** A stored match that is not outdated. `former`: of the decisions about its entry that no longer count, the last one. */
type Known = Pick<OwnMatch, 'customerId' | 'entryId' | 'hash'> & {
  id: string;
  state: DecodedHit['state'];
  isGone: boolean;
  former: Decision | null;
  /** Staff cleared it while screening did not find it. If it is found again, it must be decided again. */
  wasClearedGone: boolean;
};

/**
 * Stores and audits new matches: each customer's strongest, and all whose entry was confirmed. Counts the other new ones. Then
 * updates the known matches. The caller has locked the customers, so that a customer who is erased at the same time leaves no
 * match behind.
 */
async function screen(tx: Tx, customers: readonly Screened[]): Promise<void> {
  const found = (await screenByList(tx, customers)).map((matches, i) => sortMatches(customers[i]!, matches));
  const ids = customers.map(({ id }) => id);
  const known = await sql<Known>`
    WITH counted_before AS (DELETE FROM screening_more_matches WHERE customer_id = ANY (${ids}::uuid[]))
    SELECT h.id, h.customer_id AS "customerId", h.entry_id AS "entryId", h.match_hash AS hash, h.state, h.is_gone AS "isGone",
           e.former_decision AS former, h.state = 'no-match' AND h.former_decision IS NOT NULL AS "wasClearedGone"
      FROM screening_hits h LEFT JOIN ${formerDecision} e ON true
     WHERE h.customer_id = ANY (${ids}::uuid[]) AND h.state <> 'outdated'`.execute(tx);
  const states = new Map(known.rows.map(row => [keyOf(row), row.state]));
  const undecided = found.map(matches =>
    matches.filter(match => (states.get(keyOf(match)) ?? 'open') === 'open'),
  );
  // An open match stays open, even if a new list has many stronger ones.
  const isNew = (match: OwnMatch) => !states.has(keyOf(match));
  // A confirmed match is replaced by the new match of its entry, which is stored however weak it is.
  const confirmed = new Set(known.rows.filter(row => stateIfGone(row) === 'open').map(entryOf));
  const isStored = (match: OwnMatch, at: number) => at < rule.maxMatches || confirmed.has(entryOf(match));
  const added = undecided.flatMap(matches => matches.filter(isStored).filter(isNew));
  await storeMatches(tx, added);
  await countMore(
    tx,
    ids,
    undecided.map(matches => matches.filter((match, at) => !isStored(match, at) && isNew(match)).length),
  );
  await updateKnown(tx, known.rows, { keys: new Set(found.flat().map(keyOf)), added });
}

/**
 * The state of a match that a screening no longer finds, because the list or the name has changed. A confirmed match waits for
 * a new decision, so that the customer is not approved without one. An undecided match of an entry that was confirmed before
 * keeps waiting.
 */
function stateIfGone({ state, former }: Known): Known['state'] {
  if (state === 'match' || (state === 'open' && former === 'match')) return 'open';
  return state === 'open' ? 'outdated' : state;
}

/** Updates the known matches that were not found again, and those that were found after they had been gone. */
async function updateKnown(
  tx: Tx,
  known: readonly Known[],
  { keys, added }: { keys: ReadonlySet<string>; added: readonly OwnMatch[] },
): Promise<void> {
  const isFound = (row: Known) => keys.has(keyOf(row));
  // A cleared match must not replace a confirmed one. Both can exist: servers of 1.0.0 kept both when the entry changed.
  const current = new Set(
    [...added, ...known.filter(row => isFound(row) && row.state !== 'no-match')].map(entryOf),
  );
  const changes = known.flatMap(row => {
    const isGone = !isFound(row);
    // The entry has another match, which is decided instead.
    const isReplaced = isGone && current.has(entryOf(row));
    if (isGone === row.isGone && !isReplaced) return [];
    const stateIfFound = row.wasClearedGone ? 'open' : row.state;
    return [{ ...row, isGone, to: isReplaced ? 'outdated' : isGone ? stateIfGone(row) : stateIfFound }];
  });
  if (changes.length === 0) return;
  await sql`
    UPDATE screening_hits h
       SET state = c.to, is_gone = c."isGone",
           former_decision = CASE WHEN h.state <> 'open' AND h.state <> c.to THEN h.state ELSE h.former_decision END
      FROM json_to_recordset(${JSON.stringify(changes)}::json) AS c(id uuid, state text, "isGone" boolean, "to" text)
     WHERE h.id = c.id AND h.state = c.state`.execute(tx);
  await recordAuditAll(
    tx,
    changes
      .filter(({ state, to }) => state !== 'open' && to === 'open')
      .map(({ customerId, entryId }) => ({
        actor: { kind: 'system' },
        action: 'screening.reopened',
        subject: customerId,
        data: { entry: entryId },
      })),
  );
}

/**
 * Reopens the cleared matches whose entry has the customer's date of birth (or its year or month), after this date was changed
 * or verified: what staff cleared may have been another date. One that the last screening did not find waits for a new
 * decision when it is found again. The caller has locked the customer.
 */
export async function reopenCleared(tx: Tx, customerId: string): Promise<void> {
  const changed = await sql<{ entry: string; state: DecodedHit['state'] }>`
    UPDATE screening_hits h
       SET state = CASE WHEN h.is_gone THEN h.state ELSE 'open' END, former_decision = 'no-match'
      FROM customers c
     WHERE h.customer_id = ${customerId} AND c.id = h.customer_id AND h.state = 'no-match' AND h.date_of_birth <> ''
       AND starts_with(to_char(c.date_of_birth, 'YYYY-MM-DD'), h.date_of_birth)
    RETURNING h.entry_id AS entry, h.state`.execute(tx);
  await recordAuditAll(
    tx,
    changed.rows
      .filter(({ state }) => state === 'open')
      .map(({ entry }) => ({
        actor: { kind: 'system' },
        action: 'screening.reopened',
        subject: customerId,
        data: { entry },
      })),
  );
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
    INSERT INTO screening_hits (id, customer_id, entry_id, match_hash, listed_name, date_of_birth, program, score, main_name)
    SELECT id, "customerId", "entryId", hash, name, "dateOfBirth", program, score,
           (SELECT e.name FROM screening_entries e WHERE e.id = "entryId")
      FROM json_to_recordset(${JSON.stringify(rows)}::json)
        AS m(id uuid, "customerId" uuid, "entryId" text, hash uuid, name text, "dateOfBirth" text, program text, score smallint)
     -- Two screenings of one customer lock the rows in the same order.
     ORDER BY "customerId", "entryId"
        ON CONFLICT (customer_id, entry_id, match_hash)
        DO UPDATE SET state = 'open', is_gone = false, main_name = EXCLUDED.main_name
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
 * Whether the customer was confirmed as the listed person. `match`: the decision counts. `open`: the list or the name has
 * changed since then, or staff took the decision back, and a match of the entry waits for a new decision, even if it was
 * cleared in between.
 */
export async function readConfirmed(
  reader: Reader,
  customerId: string,
): Promise<'open' | 'match' | undefined> {
  const found = await sql<{ state: 'open' | 'match' | null }>`
    SELECT min(h.state) AS state
      FROM screening_hits h LEFT JOIN ${formerDecision} e ON true LEFT JOIN ${confirmedBefore} t ON true
     WHERE h.customer_id = ${customerId}
       AND (h.state = 'match' OR (h.state = 'open' AND (e.former_decision = 'match' OR t.at IS NOT NULL)))`.execute(
    reader,
  );
  return found.rows[0]?.state ?? undefined;
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

/**
 * Decides a match, or takes the decision back (`open`). Refuses `NOT_FOUND` if there is no such match. Refuses `CONFLICT` if
 * the match is outdated, was decided before, or has no decision to take back, or if the customer's date of birth is not
 * `shownBirth`, unless that is undefined. If matches were left out, stores the next ones, unless a match of the customer is
 * undecided or confirmed.
 */
export async function decideHit(
  tx: Tx,
  hitId: string,
  {
    adminId,
    address,
    to,
    reason,
    shownBirth,
  }: {
    adminId: string;
    address: string;
    to: 'match' | 'no-match' | 'open';
    reason: string;
    shownBirth?: string | null | undefined;
  },
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
  if (shownBirth !== undefined && shownBirth !== (await readIdentity(tx, customerId))!.dateOfBirth)
    throw new Refusal('CONFLICT', { message: screeningMessages.birthChanged });
  const isDecision = to !== 'open';
  await sql`
    UPDATE screening_hits
       SET state = ${to}, decided_by = ${isDecision ? adminId : null}, reason = ${isDecision ? reason : null},
           decided_at = CASE WHEN ${isDecision} THEN now() END,
           former_decision = CASE WHEN is_gone AND ${to} = 'no-match' THEN 'no-match' END
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
