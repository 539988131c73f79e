/**
 * Checkpoints for pagination: every thousandth transaction in id order, with running counts by type and the number of pending
 * and failed transactions in each thousand. Any offset in the bank-wide list, for any type and status, is then at most a
 * thousand rows from a checkpoint. A job creates them after the postings; without them only the newest 50,000 can be listed.
 */
import { type RawBuilder, sql } from 'kysely';
import { transactionTypes } from '#contract/entities.ts';
import { Refusal } from '#contract/errors.ts';
import type { TransactionFilter } from '#contract/transactions.ts';
import { nilId } from '../base/uuid.ts';
import { type Database, inSnapshot, type Reader, type Tx } from '../db/database.ts';
import { matchesDays, matchesKind } from './filter.ts';
import { planByIndex } from './indexPlans.ts';

const interval = 1_000;
/** Checkpoints per database transaction. Settling an external transfer waits until such a transaction releases its lock. */
const batchSize = 50;
const textsPerBatch = 500;
/**
 * A page is at most this far from a checkpoint or from the newest transaction. While checkpoints are being created, pages
 * farther away are refused as busy. Exports are not refused: they scan the distance in steps of this many transactions.
 */
const maxSkip = 50_000;

/**
 * Creates up to 50 missing checkpoints; returns true if more may be missing. A transaction can be committed a moment after
 * others with a higher id, so the newest minute gets no checkpoints. If a transaction is committed even later, the checkpoints
 * no longer match the daily totals. Then this function deletes the checkpoints after that transaction, with their search texts;
 * later calls create them again.
 */
export async function updateCheckpoints(database: Database): Promise<boolean> {
  const isFull = await database.inTransaction(createCheckpoints);
  if (isFull) return true;
  const valid = await findLastValid(database);
  if (valid === undefined) return false;
  await database.inTransaction(async tx => {
    await lock(tx);
    await sql`DELETE FROM page_checkpoints WHERE place > ${valid.place}`.execute(tx);
  });
  await deleteSearchTexts(database, valid.id);
  return true;
}

/** Excludes other writers of checkpoints, and transactions that decide an external transfer. */
async function lock(tx: Tx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('larkspur checkpoints'))`.execute(tx);
}

/** Creates up to 50 missing checkpoints; returns true if it created 50. */
async function createCheckpoints(tx: Tx): Promise<boolean> {
  await lock(tx);
  await planByIndex(tx);
  const from = (await readLastCheckpoint(tx)) ?? start;
  // A separate query, so that the scan below has a constant bound, from which the planner sees that it reads few rows.
  const minute = await sql<{ id: string }>`
    SELECT left(ms, 8) || '-' || right(ms, 4) || '-0000-0000-000000000000' AS id
      FROM lpad(to_hex((extract(epoch FROM now() - interval '1 minute') * 1000)::bigint), 12, '0') AS ms`.execute(
    tx,
  );
  const set = await sql`
    INSERT INTO page_checkpoints (place, id, transfers, credits, externals, reversals, deposits, pending, failed)
    SELECT ${from.place} + n, id, ${from.transfers} + transfers, ${from.credits} + credits, ${from.externals} + externals, ${from.reversals} + reversals, ${from.deposits} + deposits, pending, failed
      FROM (
        SELECT id, row_number() OVER in_order AS n,
               count(*) FILTER (WHERE type = 'transfer') OVER in_order AS transfers,
               count(*) FILTER (WHERE type = 'admin-credit') OVER in_order AS credits,
               count(*) FILTER (WHERE type = 'external-transfer') OVER in_order AS externals,
               count(*) FILTER (WHERE type = 'reversal') OVER in_order AS reversals,
               count(*) FILTER (WHERE type = 'deposit') OVER in_order AS deposits,
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
  return set.numAffectedRows === BigInt(batchSize);
}

type Counts = { all: bigint; pending: bigint; failed: bigint };

/**
 * The newest checkpoint up to which the counts match the daily totals; undefined if no checkpoint is wrong. Each query counts
 * the transactions between at most 50 checkpoints, and locks nothing.
 */
async function findLastValid(database: Database): Promise<Checkpoint | undefined> {
  return await inSnapshot(database.reader, async snapshot => {
    await planByIndex(snapshot);
    const total = await sql<Counts>`
      SELECT coalesce(sum(count), 0)::bigint AS all,
             coalesce(sum(count) FILTER (WHERE status = 'pending'), 0)::bigint AS pending,
             coalesce(sum(count) FILTER (WHERE status = 'failed'), 0)::bigint AS failed
        FROM transaction_totals`.execute(snapshot);
    const newer: Counts = { all: 0n, pending: 0n, failed: 0n };
    const last = await readLastCheckpoint(snapshot);
    let [at, end] = [last, undefined as Checkpoint | undefined];
    for (let step = 1; at; step = Math.min(step * 2, batchSize)) {
      const counted = await countBetween(snapshot, at, end);
      for (const key of ['all', 'pending', 'failed'] as const) newer[key] += counted[key];
      const listed = await countListed(snapshot, at);
      const isValid = (['all', 'pending', 'failed'] as const).every(
        key => listed[key] + newer[key] === total.rows[0]![key],
      );
      if (isValid) return at.place === last!.place ? undefined : at;
      if (at.place === 0n) return at;
      end = at;
      at = (await readCheckpointAt(snapshot, at.place - BigInt(interval * step))) ?? start;
    }
    return undefined;
  });
}

/** Counts the transactions after one checkpoint up to another, or to the newest transaction. */
async function countBetween(reader: Reader, after: Checkpoint, end: Checkpoint | undefined): Promise<Counts> {
  const isBetween = (column: string) =>
    sql`${sql.ref(column)} > ${after.id}::uuid AND ${end ? sql`${sql.ref(column)} <= ${end.id}::uuid` : sql`true`}`;
  const open = (status: 'pending' | 'failed') => sql`
    (SELECT count(*) FROM external_transfers x
      WHERE x.status = ${sql.lit(status)} AND x.status <> 'completed' AND ${isBetween('x.transaction_id')})`;
  const counted = await sql<Counts>`
    SELECT (SELECT count(*) FROM transactions t WHERE ${isBetween('t.id')}) AS all,
           ${open('pending')} AS pending, ${open('failed')} AS failed`.execute(reader);
  return counted.rows[0]!;
}

/** How many transactions there are up to a checkpoint, according to the stored checkpoints. */
async function countListed(reader: Reader, { place }: Checkpoint): Promise<Counts> {
  const listed = await sql<Counts>`
    SELECT ${place}::bigint AS all, coalesce(sum(pending), 0)::bigint AS pending, coalesce(sum(failed), 0)::bigint AS failed
      FROM page_checkpoints WHERE place <= ${place}`.execute(reader);
  return listed.rows[0]!;
}

/** Deletes the search texts that reach past an id. Deletes the newest first, so that the remaining texts never have a gap. */
async function deleteSearchTexts(database: Database, after: string): Promise<void> {
  for (const type of transactionTypes) {
    const isOfType = sql`type = ${sql.lit(type)}::transaction_type`;
    for (let deleted = textsPerBatch; deleted === textsPerBatch; ) {
      const { numAffectedRows } = await database.inTransaction(async tx => {
        await sql`SELECT pg_advisory_xact_lock(hashtext('larkspur texts'))`.execute(tx);
        return await sql`
          DELETE FROM search_texts WHERE ${isOfType} AND last IN (
            SELECT last FROM search_texts WHERE ${isOfType} AND last > ${after}::uuid
             ORDER BY last DESC LIMIT ${textsPerBatch})`.execute(tx);
      });
      deleted = Number(numAffectedRows ?? 0n);
    }
  }
}

type Checkpoint = {
  place: bigint;
  id: string;
  transfers: bigint;
  credits: bigint;
  externals: bigint;
  reversals: bigint;
  deposits: bigint;
};

const start: Checkpoint = {
  place: 0n,
  id: nilId,
  transfers: 0n,
  credits: 0n,
  externals: 0n,
  reversals: 0n,
  deposits: 0n,
};

/** The newest checkpoint; undefined if there is none. */
export async function readLastCheckpoint(reader: Reader): Promise<Checkpoint | undefined> {
  const read = await sql<Checkpoint>`
    SELECT place, id, transfers, credits, externals, reversals, deposits FROM page_checkpoints ORDER BY place DESC LIMIT 1`.execute(
    reader,
  );
  return read.rows[0];
}

async function readCheckpointAt(reader: Reader, place: bigint): Promise<Checkpoint | undefined> {
  const read = await sql<Checkpoint>`
    SELECT place, id, transfers, credits, externals, reversals, deposits FROM page_checkpoints WHERE place = ${place}`.execute(
    reader,
  );
  return read.rows[0];
}

/** The checkpoint column that counts a type. */
const countedBy = {
  transfer: 'transfers',
  'admin-credit': 'credits',
  'external-transfer': 'externals',
  reversal: 'reversals',
  deposit: 'deposits',
} as const;

/** The transactions to count: of a type, of a status, or all. */
export type Kind = Pick<TransactionFilter, 'type' | 'status'>;

/** SQL: how many transactions of a kind there are up to a checkpoint. Pending and failed are summed over the checkpoints. */
function countUpTo({ type, status }: Kind): RawBuilder<unknown> {
  const ofType = sql.ref(type ? countedBy[type] : 'place');
  if (!status || (type && type !== 'external-transfer')) return ofType;
  if (status !== 'completed') return sql`sum(${sql.ref(status)}) OVER (ORDER BY place)`;
  return sql`${ofType} - sum(pending + failed) OVER (ORDER BY place)`;
}

/**
 * The id of the transaction that has exactly `newer` newer ones of its kind; undefined if there is none. `total`: how many
 * transactions of the kind there are, read in the same snapshot. If no checkpoint is near enough, refuses `BUSY`, or with
 * `mayWalk` scans up to the transaction in bounded queries.
 */
export async function findIdAtOffset(
  reader: Reader,
  kind: Kind,
  newer: number,
  total: number,
  mayWalk = false,
): Promise<string | undefined> {
  if (newer >= total) return undefined;
  const { type, status } = kind;
  const idAfter = async (begin: string | undefined, skip: number) =>
    (await readIds(reader, { type, status, page: 1, limit: 1 }, { begin, skip }))[0];
  const nearest = await sql<{ id: string; place: bigint }>`
    SELECT id, counted::bigint AS place FROM (SELECT id, place, ${countUpTo(kind)} AS counted FROM page_checkpoints) m
     WHERE counted >= ${total - newer} ORDER BY counted, place LIMIT 1`.execute(reader);
  const checkpoint = nearest.rows[0];
  let skip = checkpoint ? Number(checkpoint.place) - (total - newer) : newer;
  if (skip > maxSkip && !mayWalk) throw new Refusal('BUSY', { waitTime: 10 });
  let begin = checkpoint?.id;
  for (; skip > maxSkip; skip -= maxSkip) begin = await idAfter(begin, maxSkip);
  return await idAfter(begin, skip);
}

/**
 * Up to `limit` ids that match the filter's kind and days, newest first, from `begin` (inclusive) down to `end` (exclusive),
 * after `skip` rows.
 */
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
