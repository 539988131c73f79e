/**
 * Marks along all transactions in the order of their ids: every thousandth, with how many of each type there were by then.
 * They make any place in the whole bank's list a short walk from a mark. A job sets them behind the postings, which do not
 * know of them; a list without marks is only slower.
 */
import { type RawBuilder, sql } from 'kysely';
import type { TransactionType } from '#contract/entities.ts';
import type { Database, Reader } from '../db/database.ts';

const apart = 1_000;
const marksAtOnce = 100;

/**
 * Sets marks that are missing, a hundred at most; true where there are more. An id may come into the books a moment after
 * younger ones, so the newest minute gets no marks; should one come later than that, the marks no longer add up to the
 * bank's figures, and are made anew.
 */
export async function keepMarks(database: Database): Promise<boolean> {
  return await database.inTransaction(async tx => {
    await sql`SELECT pg_advisory_xact_lock(hashtext('larkspur marks'))`.execute(tx);
    const set = await sql`
      WITH a_minute_ago AS (
        SELECT lpad(to_hex((extract(epoch FROM now() - interval '1 minute') * 1000)::bigint), 12, '0') AS ms
      ), from_here AS (
        (SELECT * FROM transaction_marks ORDER BY place DESC LIMIT 1)
        UNION ALL SELECT 0, '00000000-0000-0000-0000-000000000000', 0, 0, 0
        ORDER BY place DESC LIMIT 1
      )
      INSERT INTO transaction_marks (place, id, transfers, credits, externals)
      SELECT h.place + t.n, t.id, h.transfers + t.transfers, h.credits + t.credits, h.externals + t.externals
        FROM from_here h, LATERAL (
          SELECT id, row_number() OVER in_order AS n,
                 count(*) FILTER (WHERE type = 'transfer') OVER in_order AS transfers,
                 count(*) FILTER (WHERE type = 'admin-credit') OVER in_order AS credits,
                 count(*) FILTER (WHERE type = 'external-transfer') OVER in_order AS externals
            FROM (SELECT id, type FROM transactions
                   WHERE id > h.id
                     AND id < (SELECT left(ms, 8) || '-' || right(ms, 4) || '-0000-0000-000000000000' FROM a_minute_ago)::uuid
                   ORDER BY id LIMIT ${apart * marksAtOnce}) next
          WINDOW in_order AS (ORDER BY id ROWS UNBOUNDED PRECEDING)) t
       WHERE t.n % ${apart} = 0`.execute(tx);
    if (set.numAffectedRows === BigInt(marksAtOnce)) return true;
    const checked = await sql<{ is_true: boolean }>`
      SELECT m.place + (SELECT count(*) FROM transactions WHERE id > m.id)
             = (SELECT sum(count) FROM transaction_totals) AS is_true
        FROM (SELECT place, id FROM transaction_marks ORDER BY place DESC LIMIT 1) m`.execute(tx);
    if (checked.rows[0]?.is_true !== false) return false;
    await sql`DELETE FROM transaction_marks`.execute(tx);
    return true;
  });
}

/** Which column of a mark counts transactions of a type. */
const countedBy = {
  transfer: 'transfers',
  'admin-credit': 'credits',
  'external-transfer': 'externals',
} as const;

/**
 * The id of the transaction before which so many newer ones stand, all or of one type; undefined where there are not so
 * many. `total` is how many there are, in the same snapshot.
 */
export async function findPlace(
  reader: Reader,
  type: TransactionType | undefined,
  newer: number,
  total: number,
): Promise<string | undefined> {
  if (newer >= total) return undefined;
  const column = sql.ref(type ? countedBy[type] : 'place');
  const marked = await sql<{ id: string; place: bigint }>`
    SELECT id, ${column} AS place FROM transaction_marks
     WHERE ${column} >= ${total - newer} ORDER BY ${column}, place LIMIT 1`.execute(reader);
  const mark = marked.rows[0];
  const skip = mark ? Number(mark.place) - (total - newer) : newer;
  const isBelow = mark ? sql`id <= ${mark.id}` : sql`true`;
  const isOfType: RawBuilder<unknown> = type ? sql`type = ${type}::transaction_type` : sql`true`;
  const found = await sql<{ id: string }>`
    SELECT id FROM transactions WHERE ${isBelow} AND ${isOfType} ORDER BY id DESC OFFSET ${skip} LIMIT 1`.execute(
    reader,
  );
  return found.rows[0]?.id;
}
