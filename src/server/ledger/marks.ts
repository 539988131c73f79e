/**
 * Marks along all transactions in the order of their ids: every thousandth, with how many of each type there were by then,
 * and how many of each thousand are not completed. They make any place in the whole bank's list, of any type and status, a
 * short walk from a mark. A job sets them behind the postings, which do not know of them; a list without marks is only slower.
 */
import { type RawBuilder, sql } from 'kysely';
import type { TransactionFilter } from '#contract/transactions.ts';
import type { Database, Reader } from '../db/database.ts';
import { isOfKind, isWithinDays } from './filter.ts';

const apart = 1_000;
/** Set at once: whoever decides an external transfer waits that long. */
const marksAtOnce = 50;

/**
 * Sets marks that are missing, fifty at most; true where there are more. An id may come into the books a moment after
 * younger ones, so the newest minute gets no marks; should one come later than that, the marks no longer add up to the
 * bank's figures, and are made anew with all that is kept by them.
 */
export async function keepMarks(database: Database): Promise<boolean> {
  return await database.inTransaction(async tx => {
    await sql`SELECT pg_advisory_xact_lock(hashtext('larkspur marks'))`.execute(tx);
    const from = (await readLastMark(tx)) ?? noMark;
    // Asked for first, so that the walk below is planned for what it is: a small part of a large table.
    const minute = await sql<{ id: string }>`
      SELECT left(ms, 8) || '-' || right(ms, 4) || '-0000-0000-000000000000' AS id
        FROM lpad(to_hex((extract(epoch FROM now() - interval '1 minute') * 1000)::bigint), 12, '0') AS ms`.execute(
      tx,
    );
    const set = await sql`
      INSERT INTO transaction_marks (place, id, transfers, credits, externals, pending, failed)
      SELECT ${from.place} + n, id, ${from.transfers} + transfers, ${from.credits} + credits, ${from.externals} + externals, pending, failed
        FROM (
          SELECT id, row_number() OVER in_order AS n,
                 count(*) FILTER (WHERE type = 'transfer') OVER in_order AS transfers,
                 count(*) FILTER (WHERE type = 'admin-credit') OVER in_order AS credits,
                 count(*) FILTER (WHERE type = 'external-transfer') OVER in_order AS externals,
                 count(*) FILTER (WHERE status = 'pending') OVER a_thousand AS pending,
                 count(*) FILTER (WHERE status = 'failed') OVER a_thousand AS failed
            FROM (SELECT id, type, CASE WHEN type = 'external-transfer'
                         THEN (SELECT x.status FROM external_transfers x WHERE x.transaction_id = t.id) END AS status
                    FROM transactions t
                   WHERE id > ${from.id}::uuid AND id < ${minute.rows[0]!.id}::uuid
                   ORDER BY id LIMIT ${apart * marksAtOnce}) next
          WINDOW in_order AS (ORDER BY id ROWS UNBOUNDED PRECEDING),
                 a_thousand AS (ORDER BY id ROWS ${sql.lit(apart - 1)} PRECEDING)) t
       WHERE n % ${apart} = 0`.execute(tx);
    if (set.numAffectedRows === BigInt(marksAtOnce)) return true;
    const last = await readLastMark(tx);
    if (!last) return false;
    const checked = await sql<{ is_true: boolean }>`
      SELECT ${last.place} + (SELECT count(*) FROM transactions WHERE id > ${last.id}::uuid) = sum(count)
             AND ${isCounted('pending', last)} AND ${isCounted('failed', last)} AS is_true
        FROM transaction_totals`.execute(tx);
    if (checked.rows[0]!.is_true) return false;
    await sql`SELECT pg_advisory_xact_lock(hashtext('larkspur texts'))`.execute(tx);
    await sql`DELETE FROM transaction_marks`.execute(tx);
    await sql`DELETE FROM transaction_texts`.execute(tx);
    return true;
  });
}

type Mark = { place: bigint; id: string; transfers: bigint; credits: bigint; externals: bigint };

const noMark: Mark = {
  place: 0n,
  id: '00000000-0000-0000-0000-000000000000',
  transfers: 0n,
  credits: 0n,
  externals: 0n,
};

/** The newest mark; undefined where there is none. */
export async function readLastMark(reader: Reader): Promise<Mark | undefined> {
  const read = await sql<Mark>`
    SELECT place, id, transfers, credits, externals FROM transaction_marks ORDER BY place DESC LIMIT 1`.execute(
    reader,
  );
  return read.rows[0];
}

/** Whether the marks and what is newer than the `last` know as many of a status as the totals. */
const isCounted = (status: 'pending' | 'failed', last: Mark) => sql`
  (SELECT sum(${sql.ref(status)}) FROM transaction_marks)
  + (SELECT count(*) FROM external_transfers x
      WHERE x.status = ${status} AND x.status <> 'completed' AND x.transaction_id > ${last.id}::uuid)
  = coalesce(sum(count) FILTER (WHERE status = ${status}), 0)`;

/** Which column of a mark counts transactions of a type. */
const countedBy = {
  transfer: 'transfers',
  'admin-credit': 'credits',
  'external-transfer': 'externals',
} as const;

/** Which transactions are counted: of a type and a status, or all. */
export type Kind = Pick<TransactionFilter, 'type' | 'status'>;

/** How many of a kind there were by a mark. Only what may be pending or come back needs every mark before it. */
function countByMark({ type, status }: Kind): RawBuilder<unknown> {
  const ofType = sql.ref(type ? countedBy[type] : 'place');
  if (!status || type === 'transfer' || type === 'admin-credit') return ofType;
  if (status !== 'completed') return sql`sum(${sql.ref(status)}) OVER (ORDER BY place)`;
  return sql`${ofType} - sum(pending + failed) OVER (ORDER BY place)`;
}

/**
 * The id of the transaction before which so many newer ones of a kind stand; undefined where there are not so many. `total`
 * is how many there are of the kind, in the same snapshot.
 */
export async function findPlace(
  reader: Reader,
  kind: Kind,
  newer: number,
  total: number,
): Promise<string | undefined> {
  if (newer >= total) return undefined;
  const { type, status } = kind;
  const marked = await sql<{ id: string; place: bigint }>`
    SELECT id, counted::bigint AS place FROM (SELECT id, place, ${countByMark(kind)} AS counted FROM transaction_marks) m
     WHERE counted >= ${total - newer} ORDER BY counted, place LIMIT 1`.execute(reader);
  const mark = marked.rows[0];
  const skip = mark ? Number(mark.place) - (total - newer) : newer;
  const [found] = await walk(reader, { type, status, page: 1, limit: 1 }, { begin: mark?.id, skip });
  return found;
}

/**
 * Ids of transactions of the filter's kind and days, newest first: a `limit` of them from `begin` on downwards after `skip`,
 * ending before `end`.
 */
export async function walk(
  reader: Reader,
  filter: TransactionFilter,
  { begin, end, skip = 0 }: { begin?: string | undefined; end?: string | undefined; skip?: number },
): Promise<string[]> {
  const { status, startDate, endDate, limit } = filter;
  const isBetween = (column: string) =>
    sql`${begin === undefined ? sql`true` : sql`${sql.ref(column)} <= ${begin}`}
        AND ${end === undefined ? sql`true` : sql`${sql.ref(column)} > ${end}`}`;
  const isInside = sql`(SELECT ${isWithinDays(filter)} FROM transactions t WHERE t.id = x.transaction_id)`;
  const found =
    status === 'pending' || status === 'failed'
      ? // They have an index of their own, and are of one type.
        await sql<{ id: string }>`
          SELECT x.transaction_id AS id FROM external_transfers x
           WHERE x.status = ${status}::transaction_status AND x.status <> 'completed' AND ${isBetween('x.transaction_id')}
             AND ${startDate || endDate ? isInside : sql`true`}
           ORDER BY x.transaction_id DESC OFFSET ${skip} LIMIT ${limit}`.execute(reader)
      : await sql<{ id: string }>`
          SELECT t.id FROM transactions t
           WHERE ${isBetween('t.id')} AND ${isOfKind(filter)} AND ${isWithinDays(filter)}
           ORDER BY t.id DESC OFFSET ${skip} LIMIT ${limit}`.execute(reader);
  return found.rows.map(row => row.id);
}
