/**
 * Checkpoints for pagination: every thousandth transaction in id order, with running counts by type and the number of pending
 * and failed transactions in each thousand. Any offset in the bank-wide list, for any type and status, is then at most a
 * thousand rows from a checkpoint. A job creates them after the postings; without them a list is only slower.
 */
import { type RawBuilder, sql } from 'kysely';
import type { TransactionFilter } from '#contract/transactions.ts';
import type { Database, Reader } from '../db/database.ts';
import { matchesDays, matchesKind } from './filter.ts';

const interval = 1_000;
/** Checkpoints per transaction: settling an external transfer waits for the lock that long. */
const batchSize = 50;

/**
 * Creates up to 50 missing checkpoints; returns true if there are more. A transaction can be committed a moment after ones
 * with a higher id, so the newest minute gets no checkpoints. If one is committed even later, the checkpoints no longer match
 * the daily totals; then they are deleted, with the search texts, and rebuilt.
 */
export async function updateCheckpoints(database: Database): Promise<boolean> {
  return await database.inTransaction(async tx => {
    await sql`SELECT pg_advisory_xact_lock(hashtext('larkspur checkpoints'))`.execute(tx);
    const from = (await readLastCheckpoint(tx)) ?? start;
    // A separate query, so that the scan below is planned with a constant bound: a small part of a large table.
    const minute = await sql<{ id: string }>`
      SELECT left(ms, 8) || '-' || right(ms, 4) || '-0000-0000-000000000000' AS id
        FROM lpad(to_hex((extract(epoch FROM now() - interval '1 minute') * 1000)::bigint), 12, '0') AS ms`.execute(
      tx,
    );
    const set = await sql`
      INSERT INTO page_checkpoints (place, id, transfers, credits, externals, pending, failed)
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
                   ORDER BY id LIMIT ${interval * batchSize}) next
          WINDOW in_order AS (ORDER BY id ROWS UNBOUNDED PRECEDING),
                 a_thousand AS (ORDER BY id ROWS ${sql.lit(interval - 1)} PRECEDING)) t
       WHERE n % ${interval} = 0`.execute(tx);
    if (set.numAffectedRows === BigInt(batchSize)) return true;
    const last = await readLastCheckpoint(tx);
    if (!last) return false;
    const checked = await sql<{ is_true: boolean }>`
      SELECT ${last.place} + (SELECT count(*) FROM transactions WHERE id > ${last.id}::uuid) = sum(count)
             AND ${isCounted('pending', last)} AND ${isCounted('failed', last)} AS is_true
        FROM transaction_totals`.execute(tx);
    if (checked.rows[0]!.is_true) return false;
    await sql`SELECT pg_advisory_xact_lock(hashtext('larkspur texts'))`.execute(tx);
    await sql`DELETE FROM page_checkpoints`.execute(tx);
    await sql`DELETE FROM search_texts`.execute(tx);
    return true;
  });
}

type Checkpoint = { place: bigint; id: string; transfers: bigint; credits: bigint; externals: bigint };

const start: Checkpoint = {
  place: 0n,
  id: '00000000-0000-0000-0000-000000000000',
  transfers: 0n,
  credits: 0n,
  externals: 0n,
};

/** The newest checkpoint; undefined if there is none. */
export async function readLastCheckpoint(reader: Reader): Promise<Checkpoint | undefined> {
  const read = await sql<Checkpoint>`
    SELECT place, id, transfers, credits, externals FROM page_checkpoints ORDER BY place DESC LIMIT 1`.execute(
    reader,
  );
  return read.rows[0];
}

/** SQL condition: checkpoints plus newer rows count as many transactions of a status as the daily totals. */
const isCounted = (status: 'pending' | 'failed', last: Checkpoint) => sql`
  (SELECT sum(${sql.ref(status)}) FROM page_checkpoints)
  + (SELECT count(*) FROM external_transfers x
      WHERE x.status = ${status} AND x.status <> 'completed' AND x.transaction_id > ${last.id}::uuid)
  = coalesce(sum(count) FILTER (WHERE status = ${status}), 0)`;

/** The checkpoint column that counts a type. */
const countedBy = {
  transfer: 'transfers',
  'admin-credit': 'credits',
  'external-transfer': 'externals',
} as const;

/** The transactions to count: of a type, of a status, or all. */
export type Kind = Pick<TransactionFilter, 'type' | 'status'>;

/** SQL: how many transactions of a kind there are up to a checkpoint. Pending and failed are sums over earlier checkpoints. */
function countUpTo({ type, status }: Kind): RawBuilder<unknown> {
  const ofType = sql.ref(type ? countedBy[type] : 'place');
  if (!status || type === 'transfer' || type === 'admin-credit') return ofType;
  if (status !== 'completed') return sql`sum(${sql.ref(status)}) OVER (ORDER BY place)`;
  return sql`${ofType} - sum(pending + failed) OVER (ORDER BY place)`;
}

/**
 * The id of the transaction with `newer` newer ones of its kind; undefined if there are not that many. `total` is the number
 * of transactions of the kind, read in the same snapshot.
 */
export async function findIdAtOffset(
  reader: Reader,
  kind: Kind,
  newer: number,
  total: number,
): Promise<string | undefined> {
  if (newer >= total) return undefined;
  const { type, status } = kind;
  const nearest = await sql<{ id: string; place: bigint }>`
    SELECT id, counted::bigint AS place FROM (SELECT id, place, ${countUpTo(kind)} AS counted FROM page_checkpoints) m
     WHERE counted >= ${total - newer} ORDER BY counted, place LIMIT 1`.execute(reader);
  const checkpoint = nearest.rows[0];
  const skip = checkpoint ? Number(checkpoint.place) - (total - newer) : newer;
  const [found] = await readIds(reader, { type, status, page: 1, limit: 1 }, { begin: checkpoint?.id, skip });
  return found;
}

/** Up to `limit` ids that match the filter's kind and days, newest first, from `begin` (inclusive) down to `end` (exclusive), after `skip` rows. */
export async function readIds(
  reader: Reader,
  filter: TransactionFilter,
  { begin, end, skip = 0 }: { begin?: string | undefined; end?: string | undefined; skip?: number },
): Promise<string[]> {
  const { status, startDate, endDate, limit } = filter;
  const isBetween = (column: string) =>
    sql`${begin === undefined ? sql`true` : sql`${sql.ref(column)} <= ${begin}`}
        AND ${end === undefined ? sql`true` : sql`${sql.ref(column)} > ${end}`}`;
  const isInside = sql`(SELECT ${matchesDays(filter)} FROM transactions t WHERE t.id = x.transaction_id)`;
  const found =
    status === 'pending' || status === 'failed'
      ? // Only external transfers have these states, and a partial index covers them.
        await sql<{ id: string }>`
          SELECT x.transaction_id AS id FROM external_transfers x
           WHERE x.status = ${status}::transaction_status AND x.status <> 'completed' AND ${isBetween('x.transaction_id')}
             AND ${startDate || endDate ? isInside : sql`true`}
           ORDER BY x.transaction_id DESC OFFSET ${skip} LIMIT ${limit}`.execute(reader)
      : await sql<{ id: string }>`
          SELECT t.id FROM transactions t
           WHERE ${isBetween('t.id')} AND ${matchesKind(filter)} AND ${matchesDays(filter)}
           ORDER BY t.id DESC OFFSET ${skip} LIMIT ${limit}`.execute(reader);
  return found.rows.map(row => row.id);
}
