/** Reads the stored matches of customers with the sanctions list. */
import { type RawBuilder, sql } from 'kysely';
import type * as z from 'zod/mini';
import type { ScreeningHit } from '#contract/screening.ts';
import { type Page, pageOf, rowsBefore } from '../base/paging.ts';
import type { Reader } from '../db/database.ts';
import { type Named, wholeName } from './sanctionsList.ts';

export type DecodedHit = z.output<typeof ScreeningHit>;

export type Decision = 'match' | 'no-match';

/**
 * Of the decisions about the entry of the match `h` that no longer count, the last one. For an outdated match, the decision
 * about that match. Ignores a `former_decision` without a time: a server of 1.0.0 removed the time when taking back a later
 * decision.
 */
export const formerDecision = sql`
  LATERAL (SELECT f.former_decision, f.decided_by, f.decided_at, f.reason FROM screening_hits f
            WHERE f.customer_id = h.customer_id AND f.entry_id = h.entry_id AND f.former_decision IS NOT NULL
              AND f.decided_at IS NOT NULL AND f.state IN ('open', 'outdated') AND (h.state <> 'outdated' OR f.id = h.id)
            ORDER BY f.decided_at DESC LIMIT 1)`;

/**
 * The last confirmation of the entry of the match `h`, if the entry was cleared after that (`e`: the `formerDecision`) or staff
 * took the confirmation back. It is in the audit log, because a match stores only its last decision.
 */
export const confirmedBefore = sql`
  LATERAL (SELECT l.at, l.actor_id, l.data FROM audit_log l
            WHERE h.state = 'open' AND e.former_decision IS DISTINCT FROM 'match' AND l.subject = h.customer_id::text
              AND l.action = 'screening.confirmed' AND l.data->>'entry' = h.entry_id
            ORDER BY l.at DESC, l.id DESC LIMIT 1)`;

type Row = Omit<
  DecodedHit,
  'customer' | 'listed' | 'isGone' | 'earlier' | 'confirmed' | 'decidedAt' | 'decidedBy' | 'reason'
> &
  Named & {
    customer_id: string;
    accountNumber: string;
    born: string | null;
    is_approved: boolean;
    is_born_verified: boolean;
    has_id_document: boolean;
    entry_id: string;
    listed_name: string;
    main_name: string | null;
    listed_born: string;
    program: string;
    moreMatches: number | null;
    is_gone: boolean;
    former_decision: Decision | null;
    former_at: Date;
    former_by: string | null;
    former_reason: string | null;
    confirmed_at: Date | null;
    confirmed_by: string | null;
    confirmed_reason: string | null;
    /** `decided_at`, `decided_by` and `reason` count only if the match is decided; otherwise, they may be outdated. */
    decided_at: Date;
    decided_by: string | null;
    reason: string | null;
  };

const readDecision = (at: Date, by: string | null, reason: string | null) => ({
  decidedAt: at,
  ...(by !== null && { decidedBy: by }),
  ...(reason !== null && { reason }),
});

/** Reads the matches `h` that `rest` selects. */
export async function readHits(reader: Reader, rest: RawBuilder<unknown>): Promise<DecodedHit[]> {
  const found = await sql<Row>`
    SELECT h.id AS "_id", h.customer_id, c.first_name AS "firstName", c.middle_name AS "middleName",
           c.last_name AS "lastName", a.number AS "accountNumber", to_char(c.date_of_birth, 'YYYY-MM-DD') AS born, a.is_approved,
           c.is_date_of_birth_verified AS is_born_verified,
           c.id_card_file IS NOT NULL AS has_id_document, h.entry_id, h.listed_name,
           nullif(coalesce(n.name, h.main_name), h.listed_name) AS main_name,
           h.date_of_birth AS listed_born, h.program, h.score, h.state,
           h.found_at AS "foundAt", h.is_gone AND h.state <> 'outdated' AS is_gone, h.decided_at, d.name AS decided_by,
           h.reason, m.count AS "moreMatches",
           e.former_decision, e.decided_at AS former_at, o.name AS former_by, e.reason AS former_reason,
           t.at AS confirmed_at, b.name AS confirmed_by, t.data->>'reason' AS confirmed_reason
      FROM screening_hits h JOIN customers c ON c.id = h.customer_id JOIN ledger_accounts a ON a.id = c.account_id
      LEFT JOIN admins d ON d.id = h.decided_by LEFT JOIN screening_more_matches m ON m.customer_id = h.customer_id
      LEFT JOIN screening_entries n ON n.id = h.entry_id AND h.listed_name = ANY (n.name || n.aliases)
      LEFT JOIN ${formerDecision} e ON true LEFT JOIN admins o ON o.id = e.decided_by
      LEFT JOIN ${confirmedBefore} t ON true LEFT JOIN admins b ON b.id = t.actor_id
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
      isDateOfBirthVerified: row.is_born_verified,
      isApproved: row.is_approved,
      hasIdDocument: row.has_id_document,
      ...(row.moreMatches !== null && { moreMatches: row.moreMatches }),
    },
    listed: {
      id: row.entry_id,
      name: row.listed_name,
      ...(row.main_name !== null && { mainName: row.main_name }),
      dateOfBirth: row.listed_born,
      program: row.program,
    },
    score: row.score,
    state: row.state,
    foundAt: row.foundAt,
    ...(row.is_gone && { isGone: true }),
    ...((row.state === 'match' || row.state === 'no-match') &&
      readDecision(row.decided_at, row.decided_by, row.reason)),
    ...(row.former_decision && {
      earlier: {
        state: row.former_decision,
        ...readDecision(row.former_at, row.former_by, row.former_reason),
      },
    }),
    ...(row.confirmed_at && {
      confirmed: readDecision(row.confirmed_at, row.confirmed_by, row.confirmed_reason),
    }),
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

/** The newest import and the progress of its screening; undefined until the first import. */
async function readImport(reader: Reader) {
  const found = await sql<{ importedAt: Date; entries: number; screened: number; finished_at: Date | null }>`
    SELECT imported_at AS "importedAt", entries, screened, finished_at FROM screening_imports
     ORDER BY id DESC LIMIT 1`.execute(reader);
  if (!found.rows[0]) return undefined;
  const { finished_at: finishedAt, ...list } = found.rows[0];
  return { ...list, ...(finishedAt && { finishedAt }) };
}
