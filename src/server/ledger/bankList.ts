/**
 * All customers' transactions, newest first. How many there are of a type, a status or a day is kept with the postings, and
 * from how many are newer follows where a page begins: a page deep in ten million costs like the first.
 */
import { type RawBuilder, sql } from 'kysely';
import { isAccountNumber } from '#contract/accountNumber.ts';
import type { TransactionFilter } from '#contract/transactions.ts';
import { inSnapshot, type Reader } from '../db/database.ts';
import { searchBank } from './bankSearch.ts';
import { disorder, isOfKind, isWithinDays, linesBefore, pages } from './filter.ts';
import { findPlace } from './marks.ts';
import { listTransactions } from './ownList.ts';
import { type ShownRow, shown, toTransaction } from './shownTransaction.ts';

/** A page of all transactions that the filter lets through. A search looks at bounded parts of them: see `searchBank`. */
export async function listAllTransactions(reader: Reader, filter: TransactionFilter) {
  const account = filter.search && (await findAccount(reader, filter.search));
  // A whole account number means all of that account's own.
  if (account) {
    const { stats: _, ...list } = await listTransactions(reader, account, { ...filter, search: undefined });
    return list;
  }
  return await inSnapshot(reader, async snapshot => {
    const { total, ids } = filter.search
      ? await searchBank(snapshot, filter, await findDays(snapshot, filter))
      : await findPage(snapshot, filter);
    const page = sql`(SELECT * FROM transactions WHERE id = ANY (${ids}::uuid[]))`;
    const found = await sql<ShownRow>`${shown(page)} ORDER BY t.id DESC`.execute(snapshot);
    return { transactions: found.rows.map(toTransaction), ...pages(filter, total) };
  });
}

/** The account with this number, blanks and dashes left out; undefined where it is none's. */
async function findAccount(reader: Reader, text: string): Promise<bigint | undefined> {
  const number = text.replace(/[\s-]/g, '');
  if (!isAccountNumber(number)) return undefined;
  const found = await sql<{ id: bigint }>`SELECT id FROM ledger_accounts WHERE number = ${number}`.execute(
    reader,
  );
  return found.rows[0]?.id;
}

/** How many transactions match; and of the filter's type, whatever their status, how many there are, of its days and of later ones. */
type Counts = { matching: number; all: number; within: number; later: number };

async function readCounts(
  reader: Reader,
  { type, status, startDate, endDate }: TransactionFilter,
): Promise<Counts> {
  const isOfStatus = sql`status = coalesce(${status ?? null}::transaction_status, status)`;
  const isWithin = sql`day BETWEEN coalesce(${startDate ?? null}::date, '-infinity') AND coalesce(${endDate ?? null}::date, 'infinity')`;
  const counted = await sql<Record<keyof Counts, bigint>>`
    SELECT coalesce(sum(count) FILTER (WHERE ${isOfStatus} AND ${isWithin}), 0)::bigint AS matching,
           coalesce(sum(count) FILTER (WHERE ${isWithin}), 0)::bigint AS within,
           coalesce(sum(count), 0)::bigint AS all,
           coalesce(sum(count) FILTER (WHERE day > ${endDate ?? null}::date), 0)::bigint AS later
      FROM transaction_totals WHERE type = coalesce(${type ?? null}::transaction_type, type)`.execute(reader);
  const { matching, all, within, later } = counted.rows[0]!;
  return {
    matching: Number(matching),
    all: Number(all),
    within: Number(within),
    later: Number(later),
  };
}

/** The id at which the filter's days can begin, newest first; undefined where they begin with the newest of all. */
async function findDays(reader: Reader, { endDate }: TransactionFilter): Promise<string | undefined> {
  if (!endDate) return undefined;
  const { all, later } = await readCounts(reader, { page: 1, limit: 1, endDate });
  return later > disorder ? await findPlace(reader, undefined, later - disorder, all) : undefined;
}

async function findPage(
  reader: Reader,
  filter: TransactionFilter,
): Promise<{ total: number; ids: string[] }> {
  const counts = await readCounts(reader, filter);
  const skip = linesBefore(filter);
  if (skip >= counts.matching) return { total: counts.matching, ids: [] };
  // Never more than there are: whoever looks for one that is not there reads all that is left.
  const limit = Math.min(filter.limit, counts.matching - skip);
  const ids =
    filter.status === 'pending' || filter.status === 'failed'
      ? await listOpen(reader, { ...filter, limit }, skip)
      : await listPlaces(reader, { ...filter, limit }, counts, skip);
  return { total: counts.matching, ids };
}

/** A page of the external transfers that are pending or came back: they have an index of their own. */
async function listOpen(reader: Reader, filter: TransactionFilter, skip: number): Promise<string[]> {
  const { startDate, endDate, type, status, limit } = filter;
  if (type && type !== 'external-transfer') return [];
  const begin = await findDays(reader, filter);
  const isInside =
    startDate || endDate
      ? sql`(SELECT ${isWithinDays(filter)} FROM transactions t WHERE t.id = x.transaction_id)`
      : sql`true`;
  const found = await sql<{ id: string }>`
    SELECT x.transaction_id AS id FROM external_transfers x
     WHERE x.status = ${status}::transaction_status AND x.status <> 'completed'
       AND ${upTo('x.transaction_id', begin)} AND ${isInside}
     ORDER BY x.transaction_id DESC OFFSET ${skip} LIMIT ${limit}`.execute(reader);
  return found.rows.map(row => row.id);
}

/** Before what is left is halved: the rest takes as many questions as its length has binary digits. */
const stepsDown = 4;

/** A page of transactions of any status, or of completed ones, of the filter's type and days. */
async function listPlaces(
  reader: Reader,
  filter: TransactionFilter,
  counts: Counts,
  skip: number,
): Promise<string[]> {
  const { type, status, limit } = filter;
  const edge = filter.endDate ? await readEdge(reader, filter, counts) : undefined;
  const find = (place: number) => findInDays(reader, filter, counts, edge, place);
  let found = await find(skip);
  if (status === 'completed' && type !== 'transfer' && type !== 'admin-credit') {
    // What is not completed stands in between: each newer one puts the page one further down, past perhaps more of them.
    // Where they are spread a few steps down reach the page; where they stand close together, halving what is left does.
    let [least, most] = [skip, skip + counts.within - counts.matching];
    let place = least;
    for (let step = 1; least < most; step++) {
      const reached = skip + (await countOpen(reader, filter, edge, found));
      if (reached > place) least = reached;
      else most = reached;
      const next = step < stepsDown ? least : Math.floor((least + most) / 2);
      if (next === place) break;
      place = next;
      found = await find(place);
    }
  }
  return found.id === undefined ? [] : await read(reader, filter, found.id, limit);
}

/**
 * The surroundings of the midnight after the days, where ids may be in another order than times: which transactions
 * there are of the days, newest first, the first id after them, and how many places that is from the newest of all.
 */
type Edge = { ofDays: string[]; below: string | undefined; places: number };

async function readEdge(reader: Reader, filter: TransactionFilter, { all, later }: Counts): Promise<Edge> {
  const top = Math.max(0, later - disorder);
  const places = top + 2 * disorder;
  const atTop = await findPlace(reader, filter.type, top, all);
  const below = await findPlace(reader, filter.type, places, all);
  const ofDays = await read(reader, { ...filter, status: undefined }, atTop, 2 * disorder, below);
  return { ofDays, below, places };
}

/** The id at a place. Down to `surely`, which is it or above it, whatever stands between it and the edge is of the days. */
type Found = { id: string | undefined; surely: string | undefined };

/** The id before which so many newer ones of the filter's type and days stand. */
async function findInDays(
  reader: Reader,
  filter: TransactionFilter,
  { all, within }: Counts,
  edge: Edge | undefined,
  place: number,
): Promise<Found> {
  const { type, startDate } = filter;
  // Around the midnight before the days, too, times are looked at: from the last place on that is surely of the days.
  const counted = startDate ? Math.min(place, Math.max(0, within - disorder)) : place;
  const below = edge ? edge.places + counted - edge.ofDays.length : counted;
  const surely = edge?.ofDays[counted] ?? (await findPlace(reader, type, below, all));
  if (counted === place) return { id: surely, surely };
  const rest = await read(reader, { ...filter, status: undefined }, surely, place - counted + 1);
  return { id: rest[place - counted], surely };
}

/** How many external transfers that are not completed are newer than what was found, of the filter's days. */
async function countOpen(
  reader: Reader,
  filter: TransactionFilter,
  edge: Edge | undefined,
  { id, surely }: Found,
): Promise<number> {
  if (id === undefined || surely === undefined) return 0;
  const isBeforeEnd = edge
    ? sql`(x.transaction_id = ANY (${edge.ofDays}::uuid[]) OR x.transaction_id <= ${edge.below ?? id}::uuid)`
    : sql`true`;
  const isSinceStart = sql`(x.transaction_id >= ${surely}::uuid
    OR (SELECT ${isWithinDays(filter)} FROM transactions t WHERE t.id = x.transaction_id))`;
  const counted = await sql<{ n: bigint }>`
    SELECT count(*) AS n FROM external_transfers x
     WHERE x.status <> 'completed' AND x.status IN ('pending', 'failed') AND x.transaction_id > ${id}
       AND ${isBeforeEnd} AND ${isSinceStart}`.execute(reader);
  return Number(counted.rows[0]!.n);
}

/** Ids of the filter's transactions from `begin` on downwards, ending before `end`. */
async function read(
  reader: Reader,
  filter: TransactionFilter,
  begin: string | undefined,
  limit: number,
  end?: string,
): Promise<string[]> {
  const found = await sql<{ id: string }>`
    SELECT t.id FROM transactions t
     WHERE ${upTo('t.id', begin)} AND ${end ? sql`t.id > ${end}` : sql`true`} AND ${isOfKind(filter)} AND ${isWithinDays(filter)}
     ORDER BY t.id DESC LIMIT ${limit}`.execute(reader);
  return found.rows.map(row => row.id);
}

const upTo = (column: string, id: string | undefined): RawBuilder<unknown> =>
  id === undefined ? sql`true` : sql`${sql.ref(column)} <= ${id}`;
